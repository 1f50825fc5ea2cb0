"""What padding is made of: courtesies that claim nothing, and ways to say the same again."""

from __future__ import annotations

from typing import Final

FILLERS: Final[dict[str, tuple[str, ...]]] = {
    "en": (
        "Thank you so much for asking!",
        "I am really glad that you asked.",
        "I hope that helps you a little.",
        "It is always a pleasure to hear from you.",
        "I really enjoy our little chats.",
        "Thanks again for your patience.",
        "Questions like yours make my day.",
        "I am happy to be here with you.",
        "Please feel free to ask me anything else.",
        "Thank you for being with us.",
        "I wish you a wonderful day.",
        "It means a lot to me that you wrote.",
        "I am always happy to talk with you.",
        "Thank you from the bottom of my heart.",
        "I hope you are having a lovely time.",
        "All the best to you and your family.",
    ),
    "zh": (
        "非常感谢您的提问！",
        "很高兴您问我。",
        "祝您心情愉快。",
        "每次和您聊天都很开心。",
        "谢谢您的耐心。",
        "看到您的留言我很高兴。",
        "很开心能在这里陪着您。",
        "还有什么想问的尽管问我。",
        "感谢您一直陪着我们。",
        "祝您今天过得开心。",
        "您能来留言我真的很感动。",
        "和大家聊天是我最开心的事。",
        "衷心感谢您。",
        "祝您和家人一切都好。",
    ),
}
"""Language -> sentences that say nothing of any product, shop or fact."""

AGAIN: Final[dict[str, tuple[str, ...]]] = {
    "en": ("In other words: ", "To say it once more: "),
    "zh": ("换句话说：", "再说一遍："),
}
"""Language -> openings of what was said before; as many as a reply is said again at most."""

REWORDED: Final[dict[str, tuple[tuple[tuple[str, str], ...], ...]]] = {
    "en": (
        (
            (r"\b([Dd])oesn't\b", r"\1oes not"),
            (r"\b([Ii])sn't\b", r"\1s not"),
            (r"\b([Aa])ren't\b", r"\1re not"),
            (r"\b([Cc])an't\b", r"\1annot"),
            (r"\b([Ii])t's(?! (?:been|got)\b)", r"\1t is"),
            (r"\b([Tt])hat's(?! (?:been|got)\b)", r"\1hat is"),
            (r"\bI'm\b", "I am"),
            (r"\b([Yy])ou're\b", r"\1ou are"),
            (r"\bBy the way,", "Also,"),
            (r"\bPlus,", "Also,"),
        ),
        (
            (r"\b([Dd])oes not\b", r"\1oesn't"),
            (r"\b([Ii])s not\b", r"\1sn't"),
            (r"\b([Aa])re not\b", r"\1ren't"),
            (r"\b([Cc])annot\b", r"\1an't"),
            (r"(^|[.!?:,] )([Ii])t is\b(?! not\b)(?=\s+\w)", r"\1\2t's"),
            (r"(^|[.!?:,] )I am\b(?! not\b)(?=\s+\w)", r"\1I'm"),
            (r"(^|[.!?:,] )([Yy])ou are\b(?! not\b)(?=\s+\w)", r"\1\2ou're"),
            (r"\b(?:By the way|Plus|Also),", "And by the way,"),
        ),
    ),
    "zh": (
        (("您", "你"), ("对了，", "另外，"), ("还有，", "另外，")),
        (("您", "你"), ("顺便说下，", "另外，"), ("对了，", "还有，")),
    ),
}
"""Language -> for each time of saying it again, what is replaced (regular expression, replacement)
without a change of meaning."""
