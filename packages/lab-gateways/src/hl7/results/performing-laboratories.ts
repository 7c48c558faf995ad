import type { PerformingLaboratory } from '@salus/contracts/lab-gateway'
import type { Field, Segment } from '@salus/hl7v2'

/** The laboratories of a report by a key of the laboratory: its own code, or its CLIA number. */
export class PerformingLaboratories {
  readonly #declared = new Map<string, PerformingLaboratory>()
  readonly #used = new Map<string, PerformingLaboratory>()

  /** @param declared ZPS of the message, to whose key OBX-15 refers. */
  constructor(declared: readonly Segment[]) {
    for (const zps of declared) {
      const key = zps.text(2) || zps.text(8) || zps.text(9)
      const name = zps.text(3).trim()
      if (key === '' || name === '') continue
      this.#declared.set(key, {
        name,
        phone_number: zps.text(5).trim() || null,
        medical_director: textOfPerson(zps.field(7), 1) ?? textOfPerson(zps.field(6), 1),
        address: readAddress(zps.field(4)),
      })
    }
  }

  /** Returns the key of the laboratory of an OBX; null when it names none. */
  keyOf(obx: Segment): string | null {
    const producer = obx.text(15).trim()
    const declared = this.#declared.get(producer)
    if (declared !== undefined) return this.#add(producer, declared)
    const name = obx.text(23).trim() || obx.text(15, 2).trim()
    if (name === '') return null
    const key = obx.text(23, 10).trim() || producer || name
    return this.#add(key, {
      name,
      phone_number: null,
      // XCN: the name follows the identifier.
      medical_director: textOfPerson(obx.field(25), 2),
      address: readAddress(obx.field(24)),
    })
  }

  /** The laboratories that results name, and those of ZPS when no result names any. */
  all(): Record<string, PerformingLaboratory> {
    return Object.fromEntries(this.#used.size > 0 ? this.#used : this.#declared)
  }

  /** One key names one laboratory: another one with the same key gets a number. */
  #add(key: string, laboratory: PerformingLaboratory): string {
    for (let attempt = 1; ; attempt++) {
      const candidate = attempt === 1 ? key : `${key} (${attempt})`
      const known = this.#used.get(candidate)
      if (known === undefined) this.#used.set(candidate, laboratory)
      else if (known.name !== laboratory.name) continue
      return candidate
    }
  }
}

/** A name of components family, given, middle; `from` is the position of the family name. */
export function textOfPerson(field: Field, from: number): string | null {
  const [family, given, middle] = [0, 1, 2].map((next) => field.component(from + next, 1).trim())
  return [given, middle, family].filter((part) => part !== '').join(' ') || null
}

function readAddress(field: Field): PerformingLaboratory['address'] {
  const part = (at: number) => field.component(at, 1).trim()
  if (part(1) === '' && part(3) === '' && part(5) === '') return null
  return {
    first_line: part(1),
    second_line: part(2) || null,
    city: part(3),
    state: part(4),
    zip: part(5),
    country: part(6) || 'US',
  }
}
