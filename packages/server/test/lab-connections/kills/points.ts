import type { Death } from './death.ts'

/** Numbers from 0 to 1 that a seed determines (a linear congruential generator). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** `any` is a moment that the steps do not name. */
export type Plan = Death | 'any'

/** Says where the next process dies: each place once in a random order, then all of them again. */
export class Points {
  readonly #all: readonly Omit<Death, 'nth'>[]
  readonly #random: () => number
  #left: Omit<Death, 'nth'>[] = []
  readonly #hit = new Set<string>()
  /** How many processes were killed. */
  count = 0

  constructor(all: readonly Omit<Death, 'nth'>[], random: () => number) {
    this.#all = all
    this.#random = random
  }

  /** Returns a place; every eighth is any moment. */
  next(): Plan {
    if (this.#random() < 1 / 8) return 'any'
    if (this.#left.length === 0) this.#left = this.#shuffled()
    const point = this.#left.shift() as Omit<Death, 'nth'>
    const most = point.step === 'any statement' ? 60 : 1
    return { ...point, nth: 1 + Math.floor(this.#random() * most) }
  }

  /** The process did not come there; another one may. */
  putBack({ step, moment }: Death): void {
    this.#left.push({ step, moment })
  }

  add(place: string): void {
    this.count += 1
    this.#hit.add(place)
  }

  /** Places at which no process died. */
  missed(): string[] {
    const names = this.#all.map(({ step, moment }) => `${moment} ${step}`)
    return names.filter((name) => !this.#hit.has(name))
  }

  #shuffled(): Omit<Death, 'nth'>[] {
    return this.#all
      .map((point) => ({ point, at: this.#random() }))
      .sort((one, other) => one.at - other.at)
      .map(({ point }) => point)
  }
}
