import { api } from "../api/client";
import type { SpotCatalogue } from "../api/types";

/** The spots that have a name, asked for once. */
class Catalogue {
  now = $state.raw<SpotCatalogue | null>(null);
  #asked: Promise<SpotCatalogue> | undefined;

  /** Asks the server, if nobody has; whoever cannot be answered may ask again. */
  async read(): Promise<SpotCatalogue> {
    this.#asked ??= api.spots();
    try {
      this.now = await this.#asked;
      return this.now;
    } catch (cause) {
      this.#asked = undefined;
      throw cause;
    }
  }
}

export const catalogue = new Catalogue();
