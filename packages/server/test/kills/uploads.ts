import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Outages } from './outages.ts'

const ROWS = 20
const BETWEEN_MS = 250
const EPOCH = Date.parse('2026-01-01T00:00:00Z')

/** Values that a sample may have: the newest acknowledged one, or one sent since without answer. */
interface Expected {
  acknowledged: number | undefined
  open: number[]
}

/** A person whose samples are uploaded, replaced and read; the model of what must be stored. */
export class Uploader {
  readonly userId: string
  /** Its name among all that send. */
  readonly client: string
  /** By seconds since the first one. */
  readonly samples = new Map<number, Expected>()
  /** Values of each acknowledged upload by their seconds; each upload has values of its own. */
  readonly acknowledged: ReadonlyMap<number, number>[] = []
  readonly #outages: Outages
  readonly #random: () => number
  #nextSecond = 0
  #nextValue = 1

  constructor(userId: string, outages: Outages, random: () => number) {
    this.userId = userId
    this.client = userId
    this.#outages = outages
    this.#random = random
  }

  /** Uploads and reads one after the other until the end. */
  async run(isEnding: () => boolean): Promise<void> {
    while (!isEnding()) {
      const first = await this.#upload()
      if (first !== undefined) await this.#readBack(first)
      await sleep(BETWEEN_MS * (0.5 + this.#random()))
    }
  }

  /** Uploads new samples, or some of before with other values; returns the second of the first. */
  async #upload(): Promise<number | undefined> {
    const isNew = this.#nextSecond === 0 || this.#random() < 0.7
    const first = isNew
      ? this.#nextSecond
      : Math.floor((this.#random() * this.#nextSecond) / ROWS) * ROWS
    if (isNew) this.#nextSecond += ROWS
    const values = new Map(
      Array.from({ length: ROWS }, (_, index) => [first + index, this.#nextValue++]),
    )
    for (const [second, value] of values) {
      const expected = this.samples.get(second) ?? { acknowledged: undefined, open: [] }
      expected.open.push(value)
      this.samples.set(second, expected)
    }
    const data = [...values].map(([second, value]) => ({
      ...{ value, unit: 'count', start_date: new Date(EPOCH + second * 1000).toISOString() },
    }))
    const body = { stage: 'daily', provider: 'manual', data }
    const path = `/v2/timeseries/${this.userId}/steps`
    const { status } = await this.#outages.send(this.#as('upload'), 'POST', path, { body })
    if (status !== 200) return undefined
    this.acknowledged.push(values)
    for (const [second, value] of values) {
      // What had no answer before is older, whenever it was stored.
      this.samples.set(second, { acknowledged: value, open: [] })
    }
    return first
  }

  /** What one process has stored, the other one reads. */
  async #readBack(first: number): Promise<void> {
    const [from, to] = [first, first + ROWS].map((second) =>
      new Date(EPOCH + second * 1000).toISOString(),
    )
    const path = `/v2/timeseries/${this.userId}/steps/grouped?start_date=${from}&end_date=${to}`
    const { status, body } = await this.#outages.send(this.#as('list'), 'GET', path)
    if (status === 200) this.#check(samplesOf(body), first, first + ROWS)
  }

  readonly #as = (what: 'upload' | 'list') => ({ client: this.client, what })

  #check(found: ReadonlyMap<number, number>, from = 0, to = this.#nextSecond): void {
    for (let second = from; second < to; second += 1) {
      const { acknowledged, open } = this.samples.get(second) ?? { acknowledged: 0, open: [] }
      const value = found.get(second)
      const isRight = value === acknowledged || (value !== undefined && open.includes(value))
      assert.ok(
        isRight,
        `sample ${second} of ${this.userId} is ${value}, not ${acknowledged} or one of ${open}`,
      )
    }
  }

  /** Reads everything, and compares it with what was sent; returns the number of samples. */
  async check(): Promise<number> {
    const found = new Map<number, number>()
    for (let cursor = ''; ; ) {
      const path = `/v2/timeseries/${this.userId}/steps/grouped?start_date=2026-01-01&end_date=2026-12-31${cursor}`
      const { status, body } = await this.#outages.send(this.#as('list'), 'GET', path)
      assert.equal(status, 200)
      for (const [second, value] of samplesOf(body)) {
        assert.ok(!found.has(second), `sample ${second} of ${this.userId} came twice`)
        found.set(second, value)
      }
      if (body.next_cursor === null) break
      cursor = `&next_cursor=${body.next_cursor}`
    }
    this.#check(found)
    return found.size
  }
}

interface Samples {
  data: { start: string; value: number }[]
}

/** Values by seconds; each may come once. */
function samplesOf(body: { groups: { manual?: Samples[] } }): Map<number, number> {
  const all = (body.groups.manual ?? []).flatMap(({ data }) => data.map(toPair))
  const found = new Map(all)
  assert.equal(found.size, all.length, 'a sample came twice')
  return found
}

/** The second and the value of a sample. */
export const toPair = ({ start, value }: { start: string; value: number }): [number, number] => [
  (Date.parse(start) - EPOCH) / 1000,
  value,
]
