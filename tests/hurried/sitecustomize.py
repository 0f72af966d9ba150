"""For the processes of tests in which hundreds of letters are written: a board's picture is one grey dot.

To draw a position takes a second, and would take most of such a test. Whether pictures are right is tested
where letters are few.
"""

import base64

from app.draw import pictures

DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="
)
pictures.render = lambda _svg: DOT
