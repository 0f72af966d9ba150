"""Pages that look for news by themselves: their ETag says whether anything on them has changed."""

import hashlib
import re

from flask import Response, request

UNTAGGED = b' data-tag=""'
_KEY = re.compile(rb'name="once" value="[^"]*"')
"""The key of a form, which is another one each time."""


def watched(response: Response) -> Response:
    """The page with its ETag, also in the attribute by which its script asks; 304 where that is current."""
    body = response.get_data()
    tag = hashlib.blake2b(_KEY.sub(b"", body), digest_size=12).hexdigest()
    quoted = f'"{tag}"'
    if request.environ.get("HTTP_IF_NONE_MATCH") in (quoted, f"W/{quoted}"):
        response = Response(status=304)
    else:
        response.set_data(body.replace(UNTAGGED, b' data-tag="%s"' % tag.encode(), 1))
    response.headers["ETag"] = quoted
    return response
