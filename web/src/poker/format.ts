/** Numbers as people read them; absent ones are a dash. */

export function percent(share: number | null | undefined, digits = 1): string {
  return share == null || !Number.isFinite(share) ? "–" : `${(share * 100).toFixed(digits)}%`;
}

export function chips(amount: number | null | undefined, digits = 2): string {
  if (amount == null || !Number.isFinite(amount)) return "–";
  const text = amount.toFixed(digits);
  // No minus before what is rounded to nothing.
  return Number(text) === 0 ? (0).toFixed(digits) : text;
}

// Made once: making one takes far longer than using it.
const [whole, tenths] = [0, 1].map(
  (digits) => new Intl.NumberFormat("en-US", { maximumFractionDigits: digits }),
);

export function count(amount: number): string {
  return (amount < 100 ? tenths! : whole!).format(amount);
}

export function bytes(amount: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = amount;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value >= 100 || unit === 0 ? value.toFixed(0) : value.toFixed(1)} ${units[unit]}`;
}

export function duration(seconds: number | null | undefined): string {
  if (seconds == null || !Number.isFinite(seconds)) return "–";
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${seconds.toFixed(0)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 90) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
