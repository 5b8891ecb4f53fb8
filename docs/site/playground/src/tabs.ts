// Tabs as the ARIA Authoring Practices describe them: arrow keys move, and the view follows.
import { byId } from "./dom";

export const views = ["effective", "changes", "check"] as const;
export type View = (typeof views)[number];

export function tabs(chosen: (view: View) => void): (view: View) => void {
  const panel = byId("panel", HTMLElement);
  const all = views.map((view) => byId(`tab-${view}`, HTMLButtonElement));
  const select = (index: number) => {
    all.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === index));
      tab.tabIndex = i === index ? 0 : -1;
    });
    panel.setAttribute("aria-labelledby", all[index]?.id ?? "");
    panel.scrollTop = 0;
    chosen(views[index] ?? "effective");
  };
  all.forEach((tab, i) => {
    tab.onclick = () => {
      select(i);
    };
    tab.onkeydown = (event) => {
      const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: -1 }[event.key];
      if (to !== undefined) {
        event.preventDefault();
        const index = (to + all.length) % all.length;
        all[index]?.focus();
        select(index);
      }
    };
  });
  return (view) => {
    select(views.indexOf(view));
  };
}
