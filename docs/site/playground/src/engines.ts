// The choice of an engine and a release.
import { byId, element } from "./dom";
import type { EngineChoice } from "./protocol";

export class EngineChooser {
  private readonly engine = byId("engine", HTMLSelectElement);
  private readonly release = byId("release", HTMLSelectElement);
  private list: EngineChoice[] = [];

  constructor(chosen: (engine: string) => void) {
    this.engine.onchange = () => {
      this.releases();
      chosen(this.value());
    };
    this.release.onchange = () => {
      chosen(this.value());
    };
  }

  /** Offers the engines that the program knows. */
  offer(list: EngineChoice[]): void {
    this.list = list;
    this.engine.append(...list.map((e) => element("option", { value: e.name }, e.title)));
  }

  /** Shows a choice, such as opentofu@1.9.0. */
  choose(engine: string): void {
    const [name = "", release = ""] = engine.split("@");
    this.engine.value = name;
    this.releases();
    if (release !== "") {
      this.release.value = release;
    }
  }

  private releases(): void {
    const known = this.list.find((e) => e.name === this.engine.value);
    byId("release-choice", HTMLElement).hidden = !known;
    this.release.replaceChildren(...(known?.releases ?? []).map((r) => element("option", {}, r)));
    const stable = known?.releases.findIndex((r) => !r.includes("-")) ?? -1;
    this.release.selectedIndex = stable;
  }

  private value(): string {
    return this.engine.value === "" ? "" : `${this.engine.value}@${this.release.value}`;
  }
}
