export type Theme = "dark" | "light";

/** Follows the system until the reader picks; then keeps the choice. */
class ThemeChoice {
  #picked = $state<Theme | null>(remembered());
  #system = $state<Theme>(systemTheme());

  constructor() {
    if (typeof window === "undefined") return;
    window.matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => {
      this.#system = systemTheme();
    });
  }

  get current(): Theme {
    return this.#picked ?? this.#system;
  }

  toggle(): void {
    this.#picked = this.current === "dark" ? "light" : "dark";
    localStorage.setItem("theme", this.#picked);
  }
}

function remembered(): Theme | null {
  if (typeof localStorage === "undefined") return null;
  const stored = localStorage.getItem("theme");
  return stored === "dark" || stored === "light" ? stored : null;
}

function systemTheme(): Theme {
  if (typeof window === "undefined") return "dark";
  return window.matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

export const theme = new ThemeChoice();
