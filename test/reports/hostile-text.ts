/** Holds strings with which a hostile target may attack a report; each entry attacks one format. */
export const hostileStrings = [
  '<script>document.title="owned"</script><img src=x onerror=alert(1)>',
  '</script><!--<script>',
  `"' onmouseover=alert(1) x='`,
  '\u001b[31mred\u001b[2J\u0007\u009b1m',
  '\u001b]8;;https://evil.example/\u001b\\click\u001b]8;;\u001b\\',
  '| cell | ![image](https://evil.example/x.png) `code` @everyone #1 [link](javascript:alert(1))',
  '````\n# heading\n````',
  '\u0000\u0001\u000b\uffff]]>&amp;<![CDATA[',
  '=HYPERLINK("https://evil.example","x")',
  '\u202Eabc\u2066def\u200b\ufeff',
  '\ud800 lone \udfff',
  '{0} {{1}} [a](1) %s $(id) `id`',
  '\r\nHTTP/1.1 200 OK\r\n\r\n',
  'line\u2028separator\u2029paragraph',
  '\u{1f469}\u200d\u{1f4bb} \u{e0041}\u{e0042}',
  '::error file=x::owned\n::set-output name=a::b',
] as const

/** All of them in one string. */
export const hostileText = hostileStrings.join(' ')
