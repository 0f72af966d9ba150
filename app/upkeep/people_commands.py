"""The commands about people: find, bar, merge, export, delete, and what players report of others."""

import click

from app.options import NUMBER
from app.store.session import Store
from app.upkeep.commands import working


@click.group(invoke_without_command=True)
@click.pass_context
def people(context: click.Context) -> None:
    """Look after people: find, bar, merge, export and delete them, and read what others report of them.

    What you change stands in the log of your acts: tidepost letters acts

    Example: tidepost people find ada@example.org
    """
    if context.invoked_subcommand is None:
        context.invoke(reports)


@people.command()
@click.argument("text")
def find(text: str) -> None:
    """Find people by address, by `@` and a domain, by number, or by part of a name.

    Example: tidepost people find @example.org
    """
    from app.accounts import deleting, persons
    from app.people import bars

    with working() as store:
        with store.reading() as connection:
            found = persons.found(connection, text)
            barred = {one.id: bars.of(connection, one.key) for one in found if one.key}
        for one in found:
            if one.gone_at is not None:
                click.echo(f"#{one.id}  deleted {one.gone_at:%Y-%m-%d}")
                continue
            games = ", ".join(f"#{match_id}" for match_id in deleting.running(store, one.id))
            seen = f"{one.seen_at:%Y-%m-%d}" if one.seen_at is not None else "never"
            click.echo(f"#{one.id}  {one.name} <{one.address}>")
            click.echo(f"    since {one.created_at:%Y-%m-%d}, last signed in {seen}")
            click.echo(f"    plays in {games or 'no running game'}")
            if (bar := barred[one.id]) is not None:
                click.echo(
                    f"    barred by {bar.key} since {bar.at:%Y-%m-%d}{f': {bar.why}' if bar.why else ''}"
                )
    if not found:
        click.echo("There is nobody.")


@people.command("bar")
@click.argument("address_or_domain")
@click.option("--why", default="", help="For the log of your acts, and for yourself.")
@click.option("--keep-games", "games", flag_value="keep", help="Let them finish the games that run.")
@click.option("--resign-games", "games", flag_value="resign", help="Give their seats up, as by resigning.")
def bar_(address_or_domain: str, why: str, games: str | None) -> None:
    """Bar an address, with all its plus-tags, or a domain with those below it.

    They are signed out and can't sign in, begin, join or be invited to games. Games before their start are
    left, or called off where they host them. What becomes of running games is your decision. To a reply that
    is not about a running game they get one email that says so; all of them are in: tidepost inbox list

    Example: tidepost people bar @spam.example --why "unwanted invitations"
    """
    from app.accounts import barring

    with working() as store:
        try:
            done = barring.bar(store, address_or_domain, why, games)
        except barring.Undecided as undecided:
            for person, match_id in undecided.running:
                click.echo(f"{person.name} <{person.address}> plays in #{match_id}", err=True)
            raise click.ClickException(
                "they play in running games: say --keep-games or --resign-games; nothing was changed"
            ) from None
    click.echo(f"{done.key} is {'barred' if done.new else 'barred already'}.")
    for one in done.people:
        click.echo(f"    #{one.id}  {one.name} <{one.address}> was signed out")
    if done.left:
        click.echo(f"    {done.left} games that had not begun were left")
    for person, match_id in done.running:
        click.echo(f"    #{match_id}: {person.name} {'plays on' if games == 'keep' else 'gave the seat up'}")


@people.command()
@click.argument("address_or_domain")
@click.option("--why", default="", help="For the log of your acts.")
def unbar(address_or_domain: str, why: str) -> None:
    """Lift a bar. What it ended stays ended: they sign in anew.

    Example: tidepost people unbar @spam.example
    """
    from app.accounts import barring

    with working() as store:
        lifted = barring.unbar(store, address_or_domain, why)
    if lifted is None:
        raise click.ClickException(f"{address_or_domain} is not barred; `tidepost people bars` lists what is")
    click.echo(f"{lifted.key} is no longer barred.")


@people.command("bars")
def listed() -> None:
    """List all bars of addresses and domains.

    Example: tidepost people bars
    """
    from app.people import bars

    with working() as store, store.reading() as connection:
        found = bars.every(connection)
    for one in found:
        click.echo(f"{one.at:%Y-%m-%d %H:%M}  {one.key}{f'  {one.why}' if one.why else ''}")
    if not found:
        click.echo("Nothing is barred.")


@people.command()
@click.argument("old")
@click.argument("new")
@click.option("--why", default="", help="For the log of your acts.")
@click.option("--yes", is_flag=True, help="Don't ask.")
def merge(old: str, new: str, why: str, yes: bool) -> None:
    """Move all that the account OLD has to the account NEW. It can't be undone.

    Do it only if you know that both belong to one person. Each is an address or a number such as `#12`. Both
    addresses get an email. It is refused where both belong to one game.

    Example: tidepost people merge ada@old.example ada@new.example
    """
    from app.accounts import merging
    from app.people.errors import NotFound

    if not yes:
        click.confirm(f"All of {old} goes to {new}, for good. Merge them?", abort=True)
    with working() as store:
        try:
            first, second = merging.merge(store, old, new, why)
        except NotFound:
            raise click.ClickException(
                "one of the two is nobody's address; see `tidepost people find`"
            ) from None
        except merging.CannotMerge as error:
            raise click.ClickException(f"{error}; nothing was changed") from None
    click.echo(f"What {first.address} had is {second.name}'s <{second.address}> now.")


@people.command()
@click.argument("person")
def export(person: str) -> None:
    """Print all that is stored about a person as JSON. PERSON is an address, or a number such as `#12`.

    It holds no links or keys, nothing of others, and no hidden facts of running games but their own moves.

    Example: tidepost people export ada@example.org > ada.json
    """
    from app.accounts import exporting

    with working() as store:
        click.echo(exporting.export(store, _number(store, person)).decode(), nl=False)


@people.command()
@click.argument("person")
@click.option("--why", default="the operator did it", help="For the log of your acts.")
@click.option("--yes", is_flag=True, help="Don't ask.")
def delete(person: str, why: str, yes: bool) -> None:
    """Delete an account. It can't be undone. PERSON is an address, or a number such as `#12`.

    In running games the seat is given up, as by resigning; games that they host and that have not begun are
    called off. Games stay, and the name becomes "Someone". Copies that you made before still have it all.

    Example: tidepost people delete ada@example.org --why "asked for it by phone"
    """
    from app.accounts import deleting

    with working() as store:
        player_id = _number(store, person)
        games = len(deleting.running(store, player_id))
        if not yes:
            click.confirm(f"{person} has a seat in {games} running games. Delete the account?", abort=True)
        deleting.delete(store, player_id, why)
    click.echo(f"The account #{player_id} is deleted.")


@people.command()
@click.option("--all", "closed", is_flag=True, help="Those that you closed, too.")
def reports(*, closed: bool = False) -> None:
    """List what players have reported of each other.

    Example: tidepost people reports --all
    """
    from app.people.reports import reports as all_reports
    from app.words.someone import named

    with working() as store:
        found = all_reports(store, closed=closed)
    for one in found:
        game = f"  game #{one.match_id}" if one.match_id is not None else ""
        ended = f"  closed {one.closed_at:%Y-%m-%d}" if one.closed_at is not None else ""
        click.echo(f"{one.id}  {one.at:%Y-%m-%d %H:%M}{game}{ended}")
        click.echo(named(f"    by    {one.by_name} <{one.by_address}>", lambda: "Someone"))
        click.echo(named(f"    about {one.about_name} <{one.about_address}>", lambda: "Someone"))
        for line in one.text.splitlines():
            click.echo(f"    | {line}")
    if not found:
        click.echo("Nobody was reported.")


@people.command("close")
@click.argument("report", type=NUMBER)
def closed_report(report: int) -> None:
    """Settle a report: it is not listed any more, and goes after some months.

    Example: tidepost people close 3
    """
    from app.people.reports import close

    with working() as store:
        if not close(store, report):
            raise click.ClickException(f"there is no open report {report}")
    click.echo(f"Report {report} is settled.")


def _number(store: Store, text: str) -> int:
    """The number of the one person that a text means. Raises ClickException."""
    from app.accounts import persons
    from app.people.errors import NotFound

    try:
        with store.reading() as connection:
            return persons.the_one(connection, text).id
    except NotFound:
        raise click.ClickException(
            f"{text} is nobody's address, or several people's; see `tidepost people find`"
        ) from None
