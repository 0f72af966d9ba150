"""The commands for matches: list and show them, hide them, call them off, give a seat away."""

from collections.abc import Callable
from typing import TypeVar

import click

from app.options import NUMBER
from app.upkeep.commands import working

Done = TypeVar("Done")
STATES = ("unconfirmed", "open", "running", "over", "moved", "called_off", "hidden", "late", "stuck")
WHY = click.option("--why", "reason", default="", help="For the log of your acts; players don't see it.")


@click.group()
def matches() -> None:
    """Look after games: list them, hide one, call one off, give a seat to someone else.

    You see what any visitor may see, of private games too; never hidden facts or addresses. What you do
    stands in the log of the game, where its players read it, and in that of your acts: tidepost letters acts

    Example: tidepost matches list late
    """


@matches.command("list")
@click.argument("state", type=click.Choice(STATES), default="running")
def listed(state: str) -> None:
    """List the games of a STATE, the latest first: running ones if none is named.

    late: a deadline has passed. stuck: nothing follows a deadline, or the computer doesn't play its turn.

    Example: tidepost matches list stuck
    """
    from app.play.views import register
    from app.upkeep import matches_shown

    with working() as store:
        found = register.listed(store, state)
    for one in found:
        click.echo(matches_shown.row(one))
    if not found:
        click.echo("There are none.")


@matches.command()
@click.argument("match_id", type=NUMBER)
def show(match_id: int) -> None:
    """Show a game as any visitor would see it: seats, deadlines, the public log, the board.

    Example: tidepost matches show 12
    """
    from app.upkeep import matches_shown

    with working() as store:
        for line in _known(lambda: matches_shown.lines(store, match_id), match_id):
            click.echo(line)


@matches.command()
@click.argument("match_id", type=NUMBER)
@WHY
def hide(match_id: int, reason: str) -> None:
    """Hide a game from everyone who doesn't play in it: lists, its page, feeds, pictures. It goes on.

    Example: tidepost matches hide 12 --why "names that insult"
    """
    from app.play.seats import operating

    with working() as store:
        done = _known(lambda: operating.hide(store, match_id, reason), match_id)
    click.echo("Only its players can see it now." if done else "It was hidden already.")


@matches.command()
@click.argument("match_id", type=NUMBER)
@WHY
def unhide(match_id: int, reason: str) -> None:
    """Let a hidden game be seen again, as its host wished.

    Example: tidepost matches unhide 12
    """
    from app.play.seats import operating

    with working() as store:
        done = _known(lambda: operating.unhide(store, match_id, reason), match_id)
    click.echo("It can be seen as its host wished." if done else "It was not hidden.")


@matches.command("call-off")
@click.argument("match_id", type=NUMBER)
@WHY
def call_off(match_id: int, reason: str) -> None:
    """End a game without a result, and email everyone in it. It can't be undone.

    Example: tidepost matches call-off 12 --why "the players asked for it"
    """
    from app.play.seats import operating

    with working() as store:
        done = _known(lambda: operating.call_off(store, match_id, reason), match_id)
    click.echo(
        "It is called off, and its players are told by email." if done else "It was called off before."
    )


@matches.command("bring-back")
@click.argument("match_id", type=NUMBER)
@WHY
def bring_back(match_id: int, reason: str) -> None:
    """Let a game that was moved away by `tidepost export --move` go on here as it was; clocks are paused.

    Make sure that it isn't played elsewhere. Its players are told by email; their earlier links work again.

    Example: tidepost matches bring-back 12
    """
    from app.play.deadlines import moving

    with working() as store:
        done = _known(lambda: moving.bring_back(store, match_id, reason), match_id)
    click.echo("It goes on here, and its players are told by email." if done else "It was not moved away.")


@matches.command()
@click.argument("match_id", type=NUMBER)
@click.argument("seat")
@click.argument("address")
@WHY
def reassign(match_id: int, seat: str, address: str, reason: str) -> None:
    """Give a SEAT of a running game to someone else, by their ADDRESS. The player before is told by email.

    A player of this server has it at once. Anyone else is offered it by email and has it once they accept;
    until then the player before can come back. Links, notes and conditional moves don't pass on.

    Example: tidepost matches reassign 12 green bo@example.org
    """
    from app.play.seats import operating

    with working() as store:
        done = _known(lambda: operating.reassign(store, match_id, seat, address, reason), match_id)
    click.echo(
        "The seat is theirs, and both are told by email."
        if done == operating.GIVEN
        else "The seat is open, and an email offers it to them."
    )


def _known(act: Callable[[], Done], match_id: int) -> Done:
    """The result of the act. Raises ClickException where there is no such game or seat."""
    from app.play.match.records import NotFound

    try:
        return act()
    except NotFound as error:
        raise click.ClickException(
            f"game {match_id} has no such seat; `tidepost matches show {match_id}` names them"
            if error.reason == "seat"
            else f"there is no game {match_id}; `tidepost matches list` names them"
        ) from None
