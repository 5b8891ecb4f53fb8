(() => {
  'use strict';

  const root = document.documentElement;
  const find = (selector, from) => Array.from((from || document).querySelectorAll(selector));
  document.getElementById('controls').hidden = false;

  // Light and dark: as the system has it, until somebody chooses. A page that may not keep
  // the choice forgets it.
  const theme = document.getElementById('theme');
  const kept = (value) => {
    try {
      if (value) localStorage.setItem('tofumerge-theme', value);
      return localStorage.getItem('tofumerge-theme');
    } catch {
      return null;
    }
  };
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme || (system.matches ? 'dark' : 'light')) === 'dark';
  const nameTheme = () => { theme.textContent = isDark() ? 'Light' : 'Dark'; };
  const known = kept();
  if (known === 'light' || known === 'dark') root.dataset.theme = known;
  system.addEventListener('change', nameTheme);
  theme.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    kept(root.dataset.theme);
    nameTheme();
  });
  nameTheme();

  // The filter: each word must be in a module, a block or a finding, and "file:dev" only in
  // the names of files. What can match is read when somebody filters first.
  const fields = ['module', 'address', 'file', 'rule', 'severity'];
  const text = (selector, from) => find(selector, from).map((e) => e.textContent).join('\n').toLowerCase();
  const read = (element) => ({
    element,
    address: text('.address', element),
    file: text('.place', element) + '\n' + text('.file', element),
    rule: text('.rule', element),
    severity: text('b.error, b.warning, b.notice', element),
  });
  let modules;
  const index = () => {
    if (modules) return;
    const rows = new Map(find('tr[data-of]').map((row) => [row.dataset.of, row]));
    modules = find('.module').map((element) => {
      const items = find('.block, .findings > li', element).map(read);
      const module = text('summary > h2', element);
      for (const item of items) item.module = module;
      const bare = { address: '', file: text('.legend .file', element), rule: '', severity: '', module };
      if (element.querySelector('summary > b.error')) bare.severity = 'error\nbroken';
      return { element, row: rows.get(element.id), items, bare };
    });
  };
  const terms = (query) => query.toLowerCase().split(/\s+/).filter(Boolean).map((word) => {
    const field = fields.find((f) => word.startsWith(f + ':'));
    return field ? { fields: [field], word: word.slice(field.length + 1) } : { fields, word };
  });
  // Whoever looks for a.b.c finds the block a.b, too.
  const isInside = (word, addresses) => addresses.split('\n').some((a) => a !== '' && word.startsWith(a + '.'));
  const matches = (item, list) => list.every((t) => t.fields.some((f) =>
    item[f].includes(t.word) || f === 'address' && isInside(t.word, item.address)));
  const show = (element, isShown) => { if (element && element.hidden === isShown) element.hidden = !isShown; };

  const filter = document.getElementById('filter');
  const output = document.getElementById('matches');
  const none = document.getElementById('none');
  const most = 10; // modules that are unfolded at once
  const apply = () => {
    const list = terms(filter.value);
    if (!modules && list.length === 0) return;
    index();
    const found = [];
    for (const m of modules) {
      const isWhole = matches(m.bare, list);
      let isFound = isWhole;
      for (const item of m.items) {
        const isShown = isWhole || matches(item, list);
        show(item.element, isShown);
        isFound = isFound || isShown;
      }
      for (const e of find('.text > .fold', m.element)) show(e, isWhole);
      for (const e of find('.text', m.element)) show(e, isWhole || Boolean(e.querySelector('.block:not([hidden])')));
      for (const e of find('.findings', m.element)) {
        const isShown = Boolean(e.querySelector('li:not([hidden])'));
        show(e, isShown);
        show(e.previousElementSibling, isShown);
      }
      show(m.element, isFound);
      show(m.row, isFound);
      if (isFound) found.push(m);
    }
    if (list.length > 0 && found.length <= most) for (const m of found) m.element.open = true;
    show(none, found.length === 0);
    show(document.getElementById('table'), found.length > 0);
    output.textContent = list.length === 0 ? '' : `${found.length} of ${modules.length} modules`;
  };
  let waiting;
  filter.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 60);
  });
  addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== filter && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      filter.focus();
    }
  });

  // On a phone there is no table: folded modules are the list.
  const all = find('.module');
  if (all.length > 1 && matchMedia('(max-width: 44rem)').matches) for (const m of all) m.open = false;

  // A link to a module unfolds it.
  const unfold = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (target && target.matches('.module')) {
      target.open = true;
      target.scrollIntoView();
    }
  };
  addEventListener('hashchange', unfold);
  document.addEventListener('click', (event) => {
    if (event.target.closest && event.target.closest('tbody a')) setTimeout(unfold);
  });
  unfold();

  // On paper all modules are unfolded; unchanged lines stay as they are.
  let folded = [];
  addEventListener('beforeprint', () => {
    folded = find('.module:not([open])');
    for (const m of folded) m.open = true;
  });
  addEventListener('afterprint', () => {
    for (const m of folded) m.open = false;
    folded = [];
  });
})();
