"""Letters that look like other letters: names are compared by how they look, too."""

import unicodedata
from functools import lru_cache

_LIKE = (
    (
        "ՕՏՍքցհոռօգզսա",  # noqa: RUF001 - Armenian
        "OSUfghnnoqquw",
    ),
    (
        "ᏎᏮᎪᏴᏟᎠᎬᏀᏳᎻᎫᏦᏞᎷᏢᎡᏒᏕᏚᎢᏙᎳᏔᎩᎽᏃᏏꮯᏧᏂꭵᎥꮁꮪꮩꮃꮓ",  # noqa: RUF001 - Cherokee
        "46ABCDEGGHJKLMPRRSSTVWWYYZbcdhiirsvwz",
    ),
    (
        "ϨⳌⳒⳊⲤⲎⲔⳐⲘⲚⲞⲢⲦⲬⲨⲥⲒⲟⲣⲅ",  # noqa: RUF001 - Coptic
        "2369CHKLMNOPTXYclopr",
    ),
    (
        "ꙄЗӠбАВСЕԌНЈКМОРЅТѴԜХУҮаЬсԁеҽһіꙇӏјІӀорԛгѕѵѡԝхуү",  # noqa: RUF001 - Cyrillic
        "2336ABCEGHJKMOPSTVWXYYabcdeehiiijllopqrsvwwxyy",
    ),
    (
        "ΑΒΕϜΗͿΚΜϺΝΟΡΤΧΥΖαιϳΙοσρᴦυνγ",  # noqa: RUF001 - Greek
        "ABEFHJKMMNOPTXYZaijloopruvy",
    ),
    (
        "ꝚƧꞫȜƷꝪƼȣȢꝮꞴꞘꞲƦꞳɑƄᴄꬲꬵꞙẝɡᶃƍıɪɩƖǀᴏᴑꬽꭇꭈꜱƽꞟᴜꭎꭒʋᴠɯᴡɣᶌʏỿꭚᴢ",
        "2233335889BFJRXabcefffgggiiillooorrssuuuuuvwwyyyyyz",
    ),
    (
        "ꓮꓐꓚꓓꓰꓝꓖꓧꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜꓒꓲ",  # noqa: RUF001 - Lisu
        "ABCDEFGHJKLMNOPRSTUVWXYZdl",
    ),
)
"""Letters of other alphabets, and what they look like in ASCII, after Unicode's confusables (UTS 39)."""
_AS_ASCII = str.maketrans(
    {one: letter for theirs, ours in _LIKE for one, letter in zip(theirs, ours, strict=True)}
)
_ALIKE = {
    **str.maketrans("يىكةۀأإٱニロカタエトハヘリー", "ییکههااا二口力夕工卜八へり一"),
    **dict.fromkeys((0x640, *range(0x64B, 0x653))),  # what makes a word longer, and short vowels
}
"""Letters that look like others of their script or its neighbour: Arabic and Persian, kana and Han."""
_STROKES = str.maketrans("I1|0", "lllO")
"""Letters and digits that are one stroke, or one round, in most fonts."""


@lru_cache(maxsize=4096)
def looks_like(name: str) -> str:
    """A name as it looks, by ASCII letters where it can: equal for names that readers take for one."""
    seen = unicodedata.normalize("NFKC", name).translate(_ALIKE).translate(_AS_ASCII).translate(_STROKES)
    kept = "".join(one for one in seen if not one.isspace() and unicodedata.category(one) != "Cf")
    return kept.casefold().replace("rn", "m").replace("vv", "w")
