"""The patterns of words that break the rules of CONTRIBUTING.md, "Words", each with a replacement."""

import dataclasses
import re

PERSON = (
    "somebody|nobody|everybody|user|users|person|people|human|humans|author|authors|reader|readers|"
    "engineer|engineers|developer|developers|maintainer|maintainers|attacker|attackers|owner|anyone|"
    "everyone|someone|those|contributor|contributors|operator"
)
PLACE = (
    "place|places|point|points|file|files|folder|folders|directory|line|lines|position|column|system|systems|"
    "machine|machines|platform|platforms|shell|case|cases|terminal|moment|browser|section|example"
)
SUBJECT = r"(?:none|nothing|nobody|no \w+|it|they|there|that|this|one|some|either|neither|which)"
VERB = r"(?:is|are|was|were|does|do|did|has|have|had|can|cannot|could|may|must|will|would)"
DOCUMENT = "(?:document|documentation|specification|RFC|README|guide|manual|comments?|docs|message|page|line|column)"
AFTER_NO = (
    "longer|more|fewer|less|different|other|one|such|need|match|reason|way|room|better|worse|larger|smaller|older|"
    "newer|space|use|evidence|guarantee|protection|problem|exception|risk|help|change|proof"
)
START = r"(?:^|(?<=[.:;?!] ))"
BE = r"(?:is|was|are|were|has been|had been)"
PASSIVE = r"(?:is|are|was|were|be|been|being|gets|got)"


@dataclasses.dataclass(frozen=True)
class Pattern:
    """A pattern of words. It applies to texts of these `kinds`. A match that follows `after` is allowed."""

    name: str
    expression: re.Pattern
    advice: str
    kinds: frozenset
    after: re.Pattern | None

    def matches(self, text):
        """Yields the offset and the words of each match."""
        for match in self.expression.finditer(text):
            if not self.after or not self.after.search(text, 0, match.start()):
                yield match.start(), match[0].strip()


SQL = re.compile(r"\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE)\b")
PROSE = frozenset({"comment", "docstring", "string", "paragraph", "row", "heading", "title"})


def _pattern(name, expression, advice, kinds=PROSE, flags=re.IGNORECASE, after=None):
    allowed = re.compile(rf"(?:{after})\Z", re.IGNORECASE) if after else None
    return Pattern(name, re.compile(expression, flags), advice, frozenset(kinds), allowed)


TEXT = [
    _pattern("nobody", r"\b(?:nobody|somebody|everybody|anybody|whoever|whomever|whom)\b(?!-)",
             "the name of the caller, client, task or process"),
    _pattern("who", r"(?<!-)\bwho\b", "'that' with the name of the caller, client, task or process",
             after=rf"\b(?:{PERSON}),? "),
    _pattern("others", r"\b(?:what others|by others|for others)\b|(?<!the )(?<!as )(?<!of )\bothers "
             r"(?:have|has|do|ask|wait|hold|write|wrote|read|changed?|removed?|use|want|need|see)\b",
             "'other processes', 'other callers'"),
    _pattern("what is", rf"\bwhat {BE} (?:\w+ly |not |still |then |already )?(?:kept|known|left|said|told|looked|there|"
             rf"asked|needed|typed|under way)\b|{START}What {BE} \w+\b(?!.{{0,90}}\?)|\bwhat {BE} \w+ of\b",
             "a noun: 'the stored part', 'stored entries'"),
    _pattern("first What", r"^(?:What|Who|Where|Whatever|Whichever|Under what|How)\b(?! to\b)(?!.{0,90}\?)",
             "a noun phrase ('The ...'), 'Whether' or a verb", {"docstring"}, 0),
    _pattern("is looked", rf"\b{PASSIVE} (?:not |never |only |once |first |\w+ly )?"
             r"(?:looked(?! up)|waited(?! for)|gone on|spoken)\b",
             "a subject and an active verb: 'The walk checks'"),
    _pattern("where it", rf"\bwhere {SUBJECT} {VERB}(?:n't)?\b", "'if there is none', 'otherwise', 'if it does'",
             after=rf"\b(?:{PLACE}|and|prints?|shows?|knows?|reveals?|reports?) "),
    _pattern("where not", rf"\bwhere (?:not|so|none(?! {VERB}))\b", "'if not', 'otherwise'"),
    _pattern("tell", r"\b(?:tell|tells|telling|told)\b", "return, report, log, notify, distinguish"),
    _pattern("say", r"\b(?:says|said|saying|say)\b(?! plainly\b)", "return, report, state, declare",
             after=rf"\b{DOCUMENT}(?: \d+)? (?:does not |do not )?|\bthat is to "),
    _pattern("hear", r"\b(?:hear|hears|heard|hearing)\b", "receive, be notified"),
    _pattern("words", r"\b(?:API|server|client|host|user|program|command)(?:'s|s') (?:own )?words\b"
             r"|\b(?:its|their|own) words\b|\bwords (?:for it|of (?:its|an|the) (?:own|API|error|"
             r"server|answer|command|client|reply))\b|\bwith a word (?:on|of|about)\b|\bin words\b",
             "'error message', 'text', 'terms'"),
    _pattern("so many", r"\b(?:so many|so long as|for so long|no more than so|at most so)\b",
             "the name of the quantity: 'the batch size', 'up to `limit` bytes'"),
    _pattern("as much as", r"\bas (?:much|many|few|little|far|good) as (?:(?:can|could|may) be|it|they|"
             r"there|that|is|are|one|nothing)\b", "the name of the quantity"),
    _pattern("The same", rf"{START}The same(?:[,.:;]| (?:for|with|without|of|but|and|as|from|in|on|over|to|by|at|once|"
             r"when|if|where)\b)", "the verb again: 'Reads several items'", PROSE, 0),
    _pattern("trailing clause", rf"[,:;] (?:if|as far as|so far as|as) (?:that|it|this|one|any|they) {VERB}"
             r"(?: (?:known|given|one|any|some|it|not|none|so|there|asked|needed|set|told))?(?=[.;]|$)"
             r"|, which (?:nobody|nothing|no \w+|it|they|few|none) (?:\w+ ?){1,2}(?=[.;](?:\s|$)|$)"
             rf"|, (?:where|as) {SUBJECT} {VERB}(?: \w+)?(?=[.;]|$)", "a sentence of its own, or nothing"),
    _pattern("behind", r"\bbehind(?=[.,;:)?!]|$)|\bbehind (?:it|them|that|this|one another|each other|its back|a hit|"
             r"the answer|the reply|the scenes|and|or|when|while|as|if)\b", "'in the background', 'after'",
             after=r"\b(?:leaves?|left|leaving)\b[^.;:]{0,40} "),
    _pattern("amiss", r"\bamiss\b|\boddit(?:y|ies)\b|\bodd\b(?!-| (?:last |number|and even|or even|length|byte|digit))"
             r"|\boddly\b", "'invalid', 'unexpected'"),
    _pattern("in time", r"\bin time\b(?! (?:for|to|zone|order|of|proportional)\b)",
             "'eventually', 'before the deadline'",
             after=r"\b(?:point|back|moment) |(?:\b(?:no|not|cannot|none|never)|n't)\b[^.;:]{0,60} "),
    _pattern("bring", r"\b(?:bring|brings|bringing|brought)\b(?! up\b)", "return, fetch, add, contain"),
    _pattern("goes on", r"\b(?:go|goes|going|went|gone) on\b(?! (?:to the|line|disk|the same line))", "continue"),
    _pattern("stands in", r"\b(?:stand|stands|standing|stood) (?:in|beside|there|behind|at)\b(?! the way)",
             "'is used instead', 'is in'"),
    _pattern("process ends", r"\b(?:process|program|server|larder|binary|child)(?:es|s)? (?:begins?|began|has ended|"
             r"have ended|ends|ended|is ended)\b(?! (?:a|an|the|its|it|in|with|no)\b)", "start, exit"),
    _pattern("a thing", r"\b(?:a|its|any|every|no|such) things?\b", "the name of the thing"),
    _pattern("anew", r"\banew\b", "'again'"),
    _pattern("is no", rf"(?<!there )(?<!that )\b(?:is|are|was|were) no (?!(?:{AFTER_NO})\b)\w+",
             "'is not a valid ...', 'is not a ...'"),
    _pattern("in vain", r"\bin vain\b", "'without a result', 'unused'"),
]  # fmt: skip

NAMES = [
    _pattern("who in a name", r"\b(?:who|whom|whoever|nobody|somebody|everybody)\b|^others\b|\bwhat others\b",
             "the name of the caller, client, task or process", {"test"}),
    _pattern("what in a name", r"^what\b|\bwhat (?:is|was|it|the|they|came|has|an?|one|can|cannot|could|would)\b",
             "a noun that names the subject", {"test"}),
    _pattern("where in a name", r"^where\b|\bwhere (?:none|nothing|there|that|no|it (?:is|has|does|can)|they are)\b",
             "'if', 'without', or the name of the place", {"test"}),
    _pattern("tell in a name", r"\b(?:tell|tells|told|say|says|said|hear|hears|heard|(?:its|own|api|the) words)\b",
             "report, return, log, notify, message", {"test"}),
    _pattern("it in a name", r"^it\b", "the name of the subject", {"test"}),
    _pattern("one in a name", r"^(?:an?|the)(?: \w+)? ones?$|\bones? do(?:es)?(?: not)?$|"
             r"^(?:one|each|both|few|some|none)$", "the noun", {"test"}),
    _pattern("word in a name", r"\b(?:anew|behind|amiss|so many|so long|goes on|go on|stands? in|a thing|brings?|"
             r"in vain|looked (?!up))\b", "the standard term", {"test"}),
]  # fmt: skip


def readable(piece):
    """Returns the text that the patterns search: spaces replace code, and a name becomes separate words."""
    if piece.kind == "test":
        name = piece.text.removeprefix("test_")
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_", " ", name).lower()
    return re.sub(r"`[^`]+`", lambda code: "`" + "x" * (len(code[0]) - 2) + "`", piece.text)


def faults(piece):
    """Yields the line, the pattern and the words of each match in a piece."""
    if piece.kind == "string" and (" " not in piece.text or SQL.match(piece.text)):
        return
    text = readable(piece)
    for pattern in [*TEXT, *NAMES]:
        if piece.kind in pattern.kinds:
            for offset, words in pattern.matches(text):
                yield piece.line_at(offset), pattern, words
