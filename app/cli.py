"""The `tidepost` command. Each command imports its modules when it runs, so that all start fast."""

import json
import os
import sys
from pathlib import Path

import click
import yaml

from app.options import MANY, PORT
from app.upkeep import commands as upkeep
from app.upkeep.dkim_commands import dkim
from app.upkeep.doctor_command import doctor
from app.upkeep.keys_commands import keys
from app.upkeep.letters_commands import letters
from app.upkeep.matches_commands import matches
from app.upkeep.operator_commands import operator
from app.upkeep.people_commands import people
from app.upkeep.transcript_commands import export, import_match, verify


def log_as_json(*, wanted: bool) -> None:
    """Let this process and those that it starts write their logs as JSON."""
    if wanted:
        os.environ["TIDEPOST_LOG_JSON"] = "yes"


LOG_JSON = click.option(
    "--log-json",
    is_flag=True,
    expose_value=False,
    callback=lambda _context, _option, wanted: log_as_json(wanted=wanted),
    help="Write each line of the log as a JSON object.",
)


@click.group()
def main() -> None:
    """Board games by letter."""


for command in (
    *(upkeep.backup, upkeep.restore, upkeep.transfer, dkim, doctor, keys, letters, matches, operator, people),
    *(export, import_match, verify),
):
    main.add_command(command)


@main.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def scenario(paths: tuple[Path, ...]) -> None:
    """Run scenario files and print what failed, then how many passed and failed.

    Example: tidepost scenario tests/games/survive/scenarios
    """
    from app import scenarios

    try:
        reports = [scenarios.run(name, document) for name, document in scenarios.documents(paths)]
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise click.ClickException(f"cannot be read: {error}") from None
    failed = [report for report in reports if report.difference]
    for report in failed:
        click.echo(f"{report.name}\n    {report.difference}")
    click.echo(f"{len(reports) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


@main.command()
@click.argument("slug")
@click.option("--games", default=100, type=MANY, show_default=True, help="How many for each number of seats.")
@click.option("--preset", default="", help="One of the game's presets: email, printed.")
@click.option("--option", "chosen", multiple=True, metavar="NAME=CHOICE", help="May be repeated.")
def simulate(slug: str, games: int, preset: str, chosen: tuple[str, ...]) -> None:
    """Let simple players play a game among themselves, and print how long it takes.

    Example: tidepost simulate atlantis --games 20 --option bridges=any
    """
    from app import games as all_games
    from app import narrate
    from app import simulate as simulation
    from app.engine.errors import BadOptions

    if slug not in all_games.all_games():
        raise click.ClickException(f"no game {slug!r}; there are {', '.join(all_games.all_games())}")
    game = all_games.all_games()[slug]
    presets = [one.name for one in game.presets]
    if preset and preset not in presets:
        raise click.ClickException(f"no preset {preset!r}; there are {', '.join(presets) or 'none'}")
    if unfit := next((one for one in chosen if "=" not in one), None):
        raise click.ClickException(f"{unfit!r} isn't NAME=CHOICE")
    options = dict(one.split("=", 1) for one in chosen)
    try:
        for line in simulation.report(game, games, options, preset):
            click.echo(line)
    except BadOptions as error:
        raise click.ClickException(narrate.refusal(game, narrate.FALLBACK, error)) from None
    except simulation.Stuck as error:
        raise click.ClickException(f"a game doesn't end: {error}") from None


@main.command()
@click.argument("language", metavar="LANG")
@click.option("--rendered", is_flag=True, help="List all sentences with their renderings instead.")
def words(language: str, rendered: bool) -> None:
    """List the sentences that a language lacks, has twice or never says; status 1 if there are any.

    Each comes with the places that say it and an example.

    Example: tidepost words fa
    """
    from app.sentences import listing

    try:
        for line in listing.rendered(language) if rendered else listing.report(language):
            click.echo(line)
    except listing.UnknownLanguage as error:
        raise click.ClickException(str(error)) from None
    sys.exit(1 if not rendered and listing.faults(language) else 0)


@main.command("new-game")
@click.argument("slug")
def new_game(slug: str) -> None:
    """Write the skeleton of a new game into this checkout: a small one that can be played at once.

    Example: tidepost new-game nine_holes
    """
    from app import new_game as creating

    try:
        for path in creating.create(slug, creating.checkout()):
            click.echo(path)
    except creating.CannotCreate as error:
        raise click.ClickException(str(error)) from None
    click.echo("Next: read app/games/README.md, and run pytest tests/games.")


@main.command()
@click.option("--port", type=PORT, help="Of the pages. [default: that of TIDEPOST_URL, or 8000]")
@click.option("--mail-port", default=8025, type=PORT, show_default=True, help="Of the mail catcher's page.")
@LOG_JSON
def serve(port: int | None, mail_port: int) -> None:
    """Start everything on this machine: pages, worker, clock, and a mail catcher that shows the letters.

    Example: tidepost serve --port 8001 --mail-port 8026
    """
    from app import serve as serving
    from app.settings import BadSettings

    try:
        serving.serve(port, mail_port, click.echo, main.main)
    except (BadSettings, serving.CannotServe) as error:
        raise click.ClickException(str(error)) from None


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8000, type=PORT, show_default=True)
@click.option("--workers", default=1, type=MANY, show_default=True, help="Processes.")
@click.option("--threads", default=8, type=MANY, show_default=True, help="Of each process.")
@LOG_JSON
def web(host: str, port: int, workers: int, threads: int) -> None:
    """Run the pages alone, behind a proxy that does TLS. As often as you like.

    Example: tidepost web --workers 2 --log-json
    """
    from app import parts

    parts.web(host, port, workers, threads)


@main.command()
@click.option("--concurrency", default=4, type=MANY, show_default=True, help="Letters and bots at a time.")
@click.option("--pool", default="threads", show_default=True, type=click.Choice(["threads", "prefork"]))
@click.option("--beat", is_flag=True, help="Run the clock too; for one worker only.")
@LOG_JSON
def worker(concurrency: int, pool: str, beat: bool) -> None:
    """Run a worker alone: it writes and sends letters and plays for the computer. As often as you like.

    Example: tidepost worker --concurrency 8
    """
    from app import parts

    parts.worker(concurrency, pool, beat)


@main.command()
@LOG_JSON
def beat() -> None:
    """Run the clock alone, which wakes the workers every half minute. Once.

    Example: tidepost beat --log-json
    """
    from app import parts

    parts.beat()


@main.command()
@click.argument("what", default="", metavar="[- | list | show | done]")
@click.argument("which", default="", metavar="[ID]")
@click.option(
    "--to", multiple=True, metavar="ADDRESS", help="Of the envelope, for `-`. As often as there are."
)
@click.option(
    "--sender",
    default=None,
    metavar="ADDRESS",
    help="Of the envelope, for `-`; for nobody <>, MAILER-DAEMON or empty.",
)
@LOG_JSON
def inbox(what: str, which: str, to: tuple[str, ...], sender: str | None) -> None:
    """Take in the replies that TIDEPOST_INBOX_URL speaks of, until ended.

    `inbox -` takes one mail from stdin, for a mail system's pipe: its status is 0 when the mail is kept, 67
    for an unknown address, 65 for a mail too big, 75 for "try again". `inbox list` names the mails that
    were not carried out, each with why, `inbox show ID` prints one of them, and `inbox done ID` takes it
    off the list once you have dealt with it.

    Example: tidepost inbox list
    """
    from app import parts

    if what == "":
        parts.inbox()
    elif what == "-":
        sys.exit(parts.inbox_one(to, sender))
    elif what == "list":
        parts.inbox_list(click.echo)
    elif what == "show" and which:
        parts.inbox_show(which, click.echo)
    elif what == "done" and which:
        parts.inbox_done(which, click.echo)
    else:
        raise click.UsageError("there are `inbox`, `inbox -`, `inbox list`, `inbox show ID`, `inbox done ID`")


@main.command()
def health() -> None:
    """Print what `/healthz` tells the operator; status 1 if something needs attention.

    Example: tidepost health
    """
    from app import parts

    sys.exit(0 if parts.health(click.echo) else 1)


@main.command()
def freeze() -> None:
    """Stop all clocks: nobody's time runs out, whatever happens, until `thaw`.

    Example: tidepost freeze
    """
    from app import parts

    parts.freeze(click.echo)


@main.command()
def thaw() -> None:
    """Let all clocks go on with what was left when they were stopped.

    Example: tidepost thaw
    """
    from app import parts

    parts.thaw(click.echo)


@main.command()
@click.option("--smtp-port", required=True, type=PORT)
@click.option("--port", required=True, type=PORT)
@click.option(
    "--reply-port",
    default=0,
    type=click.IntRange(0, 65535),
    help="Where replies are taken in; without it there is no box for them.",
)
def catcher(smtp_port: int, port: int, reply_port: int) -> None:
    """Catch letters on this machine and show them on a page; a part of `serve`.

    Example: tidepost catcher --smtp-port 2525 --port 8025
    """
    from app import parts

    parts.catcher(smtp_port, port, reply_port)


@main.command()
@click.option("--game", default="survive", show_default=True)
@click.option("--seats", default=3, type=MANY, show_default=True, help="Yours and the computer's.")
@click.option("--address", default="you@tidepost.example", show_default=True, help="Where your letters go.")
def demo(game: str, seats: int, address: str) -> None:
    """Start a game against simple players of the computer, and say where its first email is.

    Example: tidepost demo --game atlantis --seats 2
    """
    from app import parts

    parts.demo(game, seats, address, click.echo)


@main.command()
@click.option("--matches", default=200, type=MANY, show_default=True, help="That run at a time.")
@click.option("--days", default=365, type=MANY, show_default=True)
@click.option("--seed", default="a year", show_default=True, help="Equal seeds are equal histories.")
@click.option("--database-url", default="", help="An empty database.  [default: a new SQLite]")
def rehearse(matches: int, days: int, seed: str, database_url: str) -> None:
    """Play a whole house through with a held clock, and check every reminder and every time-out.

    The real games, database and letters; the players are simulated, and nothing leaves this machine. Takes
    an hour for a year of 200 matches, a minute for `--matches 20 --days 30`.

    Example: tidepost rehearse --matches 20 --days 30
    """
    from app import parts

    sys.exit(0 if parts.rehearse(matches, days, seed, database_url, click.echo) else 1)


@main.command()
@click.option("--quick", is_flag=True, help="Fewer matches; the figures are rougher.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line instead of a table.")
@click.option(
    "--postgres", default="", metavar="URL", help="An empty PostgreSQL database, to measure on it too."
)
@click.argument("parts", nargs=-1)
def bench(quick: bool, as_json: bool, postgres: str, parts: tuple[str, ...]) -> None:
    """Measure what Tidepost costs, each figure beside a limit taken in the same run.

    PARTS are any of rules, replies, turns, pages, growth, crowd, disk, letters and process; all without one.
    Wants a quiet machine, and takes about twenty minutes, five with --quick.

    Example: tidepost bench --quick turns pages
    """
    from app import bench
    from app.bench import run

    if not as_json:
        click.echo(bench.HEAD)
    found = []
    try:
        for figure in run.figures(parts, quick=quick, postgres=postgres):
            click.echo(json.dumps(figure.facts()) if as_json else figure.row())
            found.append(figure)
    except run.NoSuchPart as error:
        raise click.ClickException(str(error)) from None
    if not as_json:
        click.echo(bench.summary(found))


if __name__ == "__main__":
    main()
