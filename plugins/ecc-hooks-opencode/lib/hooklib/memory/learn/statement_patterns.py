"""Patterns of sentences that state a decision, a rule or a solution; Chinese is simplified."""

from __future__ import annotations

# Who speaks for the project. "I" does not: it mostly says what the agent does next.
_WE = r"(?:we|the team|everyone)"
_ADOPT = (
    r"(?:use|go with|stick (?:with|to)|(?:switch|move|migrate)(?: over)? to|adopt|drop|keep"
    r"|standardi[sz]e on|settle on)"
)
# These words make it a step of the current work, not worth remembering.
_NO_CHORE = (
    r"(?!(?:the |a )?(?:read|grep|glob|bash|edit|write|search|find|sed|cat|ls|rg|git|debugger|tool"
    r"|todo|task|command|terminal|subagent|agent|script|same)\b)"
)
# kind, confidence, pattern; the first that matches a sentence counts
RULES = (
    ("decision", 0.9,
     rf"\b{_WE}(?:'ve| have|'d| had)?(?: all| both| finally| now| also)? (?:decided|agreed|chose"
     r"|chosen|opted|settled|picked) (?:to|on|that|for|against|not|\w)"),
    ("decision", 0.9, r"\bit (?:was|is|has been) decided (?:to|that)\b"),
    ("decision", 0.9, r"\b(?:the|our|my) (?:final )?decision (?:is|was) (?:to|that|not)\b"),
    ("decision", 0.85, r"^(?:(?:so|and|ok|okay|please),? )*(?:from now on|going forward)\b"),
    ("decision", 0.85,
     rf"\b{_WE}(?:'ll| will|'re going to| are going to) {_ADOPT} {_NO_CHORE}\w"),
    ("decision", 0.85,
     rf"\b{_WE}(?:'re| are) (?:going with|(?:switching|moving)(?: over)? to|sticking with"
     r"|dropping|standardi[sz]ing on)\b"),
    ("decision", 0.8,
     rf"\blet's {_ADOPT} {_NO_CHORE}.*\b(?:instead of|rather than|over|not)\b"),
    ("decision", 0.7, rf"\blet's {_ADOPT} {_NO_CHORE}\w"),
    ("decision", 0.75,
     r"\bI(?:'ve| have)? (?:decided|chose|opted|picked) (?:to (?:use|keep|store|adopt|drop|switch"
     rf"|go with|replace) |for )?{_NO_CHORE}.*\b(?:because|instead of|rather than|over|since)\b"),
    ("decision", 0.9,
     r"(?:我们|大家|团队|咱们)[最后终已经一致就先都还是也]{0,4}(?:决定|选择|选用|采用|同意|敲定|确定用)"),
    ("decision", 0.9,
     r"决定了?要?(?:采用|改用|使用|用|不用|不|选|改成|改为|保留|放弃|移除|统一|将|把)"),
    ("decision", 0.8,
     r"(?:(?:以后|今后|往后)|从(?:现在|今天|今以后)起?).{0,12}?(?:都|就|一律|统一|改用"
     r"|改成|不再|要|用)"),
    ("decision", 0.75,
     r"(?:^|[,、;])(?:那?就|还是|统一|全部|一律)?(?:改用|改采|换成|采用|选用|统一用).{2,}"),
    ("solution", 0.9, r"\broot cause (?:was|is|turned out)\b"),
    ("solution", 0.9,
     r"\bthe (?:actual |real |final )?(?:fix|solution|workaround|trick) (?:was|is|turned out)\b"),
    ("solution", 0.9,
     r"\b(?:fixed|resolved|solved) (?:it |this |that |the \w+(?: \w+){0,4} )?by \w"),
    ("solution", 0.85,
     r"\bthe (?:actual |real |underlying )?(?:problem|issue|bug|cause|culprit) (?:was|turned out)\b"
     r"(?! (?:fixed|resolved|solved|reported|closed|filed))"),
    ("solution", 0.75,
     r"^(?:(?:so|but|it|this),? )*turn(?:s|ed) out\b|\bturned out (?:that|to be)"),
    ("solution", 0.85,
     r"(?:根本原因|根因|原因|问题|毛病)(?:其实|就)?(?:是|在于|出在)(?!什么|啥|哪)"),
    ("solution", 0.85,
     r"(?:解决(?:方法|办法|方案)|解法|修[复正](?:方法|方式)|修法)就?(?:是|为)(?!什么|啥)"),
    ("solution", 0.75, r"(?:后|就|才|终于)(?:修好|修复|解决|正常|通过)(?:了|$|[,.。])"),
    ("preference", 0.85, r"\b(?:i|we) (?:strongly |really |always |generally |much )?prefer\b"),
    ("preference", 0.85,
     r"^(?:please,? )?(?:never|don't ever|do not ever|stop) (?:us|add|commit|creat|touch|push|mock"
     r"|writ|skip|delet|edit|chang)(?:e|ing)?\b"),
    ("preference", 0.85, r"我们?(?:比较|更|都)?(?:喜欢|偏好|习惯)"),
    ("preference", 0.8, r"(?:不要再|别再|永远不要|千万别|千万不要|绝对不要)"),
    ("pattern", 0.85,
     r"\b(?:by|our|the|project|team|naming) conventions?\b(?! of\b)|^(?:\w+ ){1,3}conventions?: "),
    ("pattern", 0.8,
     r"^(?:(?:so|and|please|remember|also|note|important)[,:]? )*(?:always|never) (?!mind|again)"
     r"(?!(?:returns?|fails?|happens?|works?|worked|failed|returned|been)\b)[a-z]+"),
    ("pattern", 0.8,
     rf"\b(?:{_WE}|you|all \w+|every \w+|each \w+) (?:must |should |need to |have to )?"
     r"(?:always|never) (?!seen|saw|had|thought|knew|heard|wanted|tried|got|noticed|return|fail)"),
    ("pattern", 0.8, r"\b(?:must|should) (?:always|never) "),
    ("pattern", 0.8,
     r"\b(?:every time|whenever) (?:you|we|someone|a|an|the) .{3,80}?\b(?:must|should|run|update"
     r"|add|bump|regenerate|remember|need to|have to)\b"),
    ("pattern", 0.75, r"\b(?:the rule(?: of thumb)? is|as a rule|rule of thumb)\b"),
    ("pattern", 0.85, r"(?:惯例|规则|规范|约定|原则)就?(?:是|为)(?!什么|啥)"),
    ("pattern", 0.8,
     r"(?:一律|务必|永远|每次|每当|凡是|所有).{0,30}?(?:都要|都得|必须|一律|不可|不能|不得"
     r"|务必|要先|都用)"),
    ("pattern", 0.75, r"^(?:一律|务必|总是)"),
)  # fmt: skip
# Before a match: the statement is only considered, asked or about another time.
DOUBT = (
    r"\b(?:if|whether|unless|suppose|imagine|(?:should|shall|could|can|do|did|have|would"
    r"|will) (?:we|i)"
    r"|why|what|how|maybe|perhaps|might|may|could|would|consider\w*|propos\w+|suggest\w*"
    r"|recommend\w*|wonder\w*|not sure|unsure|unclear|i think|i guess|i believe|probably|before"
    r"|until|once|when|as if|pretend|for example|e\.g|option|alternative\w*|either|seems?|"
    r"looks like|claims?|says?|said|asked|asks|wants?|instead of)\b"
    r"|如果|假如|假设|若是|要是|万一|是否|要不要|考虑|也许|或许|可能|不如|建议|或者|例如|比如"
    r"|为什么|怎么|等到|除非|打算|想要|好像|应该是|听说|他说|她说|有人"
)
# Around a match: the statement is denied.
DENIED = (
    r"\b(?:not|never|no|nobody|yet to|\w+n't)(?: \w+){0,2} (?:decided|agreed|settled|chosen|chose"
    r"|fixed|resolved|solved|prefer|picked)\b|\bno decision|\bundecided|\bstill (?:deciding|open)"
    r"|(?:还没|没有|尚未|未曾|并未|未|不是|没)有?(?:最[后终])?(?:决定|定案|确定|选|采用|解决"
    r"|修好|找到)"
)
# At the beginning: the speaker announces his next step.
NARRATION = (
    r"(?:(?:now|next|first|then|so|ok|okay|great|good|right),? )*(?:let me|i'll|i will|i'm|i am|"
    r"i need to|i want to|i should|i can|i could|let's (?:see|look|check|try|run|start|read|first)"
    r"|looking at|checking|trying)\b"
    r"|(?:现在|接下来|首先|然后)?(?:让我|我来|我先|我会|我要|我再|我将)"
)
# Every sentence that a rule may match contains one of these.
WORDS = (
    "deci|agreed|chose|opted|settled|picked|going |from now|let's|we'll|we will|we're|we are|"
    "team|everyone|conven|rule|pattern|policy|cause|guideline|always|never|every time|whenever|"
    "fix|solution|resol|solved|workaround|trick|turned out|turns out|problem|issue|bug|culprit|"
    "prefer|don't ever|do not ever|stop |决|结论|惯例|规|约定|原则|原因|根因|解|修|选|采|改用|"
    "换成|以后|今后|往后|从|统一|一律|务必|永远|每|凡是|所有|总是|偏好|喜欢|习惯|不要再|别再|"
    "千万|绝对|敲定|同意|确定用|问题|毛病|正常|通过"
).split("|")
# A next sentence that begins with one of these gives the reason.
GOES_ON = (
    "because", "since ", "the reason", "reason:", "otherwise", "this way", "that way", "so that",
    "fixed by", "the fix", "因为", "原因", "否则", "这样", "所以",
)  # fmt: skip
