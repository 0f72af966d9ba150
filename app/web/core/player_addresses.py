"""The addresses of players' public pages, each with a signature: nobody lists players by counting."""

from itsdangerous import BadSignature, URLSafeSerializer

from app.web.core.context import site


def player_path(player_id: int) -> str:
    """The path of a player's page."""
    return f"/p/{_signer().dumps(player_id)}"


def player_of(key: str) -> int | None:
    """The player of a page's key, or None."""
    try:
        return int(_signer().loads(key))
    except (BadSignature, TypeError, ValueError):
        return None


def _signer() -> URLSafeSerializer:
    # The settings list the newest key first, the signer expects it last.
    return URLSafeSerializer(list(reversed(site().settings.secret_keys)), salt="player")
