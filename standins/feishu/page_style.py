"""Style and script of the page; kept apart because their hashes stand in its security policy."""

STYLE = """
:root{color-scheme:light dark;--bg:#f2f3f5;--ink:#1f2329;--soft:#5f656d;--card:#fff;--line:#dee0e3;
--head:#e1eaff;--title:#1c4cba;--sub:#3a4a73;--tag:#cddcff;--grey:#f2f3f5;--blue:#e8f0ff;
--in-blue:#245bdb;--button:#2b62e3;--good:#0b6349;--good-bg:#e2f2ea;--bad:#9b3610;--bad-bg:#fbebe3}
@media (prefers-color-scheme:dark){:root{--bg:#1a1a1a;--ink:#ebebeb;--soft:#a6a6a6;--card:#292929;
--line:#434343;--head:#1c2b4d;--title:#8fb4ff;--sub:#b9c6e2;--tag:#2b4278;--grey:#353535;
--blue:#1f2f4f;--in-blue:#75a4ff;--button:#3a6fe0;--good:#7fd0b0;--good-bg:#12302a;--bad:#f2a384;
--bad-bg:#3a1f15}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:760px;padding:24px 16px 64px;background:var(--bg);color:var(--ink);
font:15px/1.6 -apple-system,"Segoe UI",Roboto,"PingFang SC","Noto Sans CJK SC","Microsoft YaHei",
system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:20px;line-height:1.4;margin:0 0 4px}
header p{margin:0;color:var(--soft);font-size:13px}
header .count{margin-top:8px;color:var(--ink)}
span[lang=en]{color:var(--soft);font-weight:400;font-size:.92em}
main{display:grid;gap:24px;margin-top:24px}
article{display:grid;gap:8px}
.meta{display:flex;flex-wrap:wrap;gap:4px 10px;align-items:center;font-size:12px;color:var(--soft)}
.meta time{font-variant-numeric:tabular-nums;color:var(--ink)}
.chip{border-radius:4px;padding:1px 6px;background:var(--card);border:1px solid var(--line)}
.chip.good{background:var(--good-bg);color:var(--good);border-color:transparent}
.chip.bad{background:var(--bad-bg);color:var(--bad);border-color:transparent}
.chip span[lang=en]{color:inherit}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;overflow:hidden;
max-width:480px}
.head{background:var(--head);padding:12px}
.head h2{margin:0;font-size:16px;line-height:24px;color:var(--title);display:flex;flex-wrap:wrap;
gap:6px;align-items:center}
.tag{font-size:12px;line-height:18px;font-weight:500;background:var(--tag);border-radius:4px;
padding:0 5px}
.subtitle{margin:2px 0 0;font-size:12px;line-height:18px;color:var(--sub)}
.body{display:grid;gap:12px;padding:12px 12px 16px}
.text{margin:0;white-space:pre-wrap;unicode-bidi:isolate}
.text.small{font-size:12px;line-height:18px}
.in-grey{color:var(--soft)}.in-blue{color:var(--in-blue)}.in-red{color:var(--bad)}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(160px,1fr));gap:8px}
.column{padding:8px 12px;border-radius:6px;display:grid;gap:2px;align-content:start}
.on-grey{background:var(--grey)}.on-blue{background:var(--blue)}
.button{display:block;background:var(--button);color:#fff;border-radius:6px;padding:6px 12px;
text-align:center;text-decoration:none}
.button:hover{text-decoration:underline}
.button:focus-visible{outline:2px solid var(--in-blue);outline-offset:2px}
.empty{padding:48px 16px;text-align:center;border:1px dashed var(--line);border-radius:8px}
.empty span{display:block}
"""

SCRIPT = """
(async () => {
  const shown = document.documentElement.dataset.version;
  for (;;) {
    await new Promise(resume => setTimeout(resume, 1000));
    try {
      const state = await (await fetch("standin/state")).json();
      if (String(state.version) !== shown) { location.reload(); return; }
    } catch { /* the stand-in is away: keep what is shown and ask again */ }
  }
})();
"""
