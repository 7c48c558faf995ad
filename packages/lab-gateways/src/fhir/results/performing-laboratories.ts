import type { PerformingLaboratory } from '@salus/contracts/lab-gateway'
import { firstText, objectOf, objectsOf, textOf, textsOf } from '../json.ts'
import type { Resource, Resources } from './resources.ts'

/** The laboratories of a report, by their identifier or name. */
export class PerformingLaboratories {
  readonly #resources: Resources
  readonly #used = new Map<string, PerformingLaboratory>()

  constructor(resources: Resources) {
    this.#resources = resources
  }

  /** Returns the key of the laboratory that performed a resource; null when it names none. */
  keyOf(resource: Resource): string | null {
    const performers = objectsOf(resource.json.performer)
    for (const reference of performers) {
      const found = this.#resources.find(reference, resource)
      if (found !== undefined && found.type !== 'Organization') continue
      const isNamed = /(?:^|\/)Organization\//.test(textOf(reference.reference) ?? '')
      if (found === undefined && !isNamed && reference.type !== 'Organization') continue
      const name = firstText(found?.json.name, reference.display)
      if (name === null) continue
      const number = objectsOf(found?.json.identifier).flatMap(
        (each) => textOf(each.value) ?? [],
      )[0]
      return this.#add(number ?? name, laboratoryOf(name, found))
    }
    return null
  }

  all(): Record<string, PerformingLaboratory> {
    return Object.fromEntries(this.#used)
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

function laboratoryOf(name: string, found: Resource | undefined): PerformingLaboratory {
  const phone = objectsOf(found?.json.telecom).find(({ system }) => system === 'phone')
  const given = objectsOf(found?.json.address)[0]
  const address = objectOf(given)
  const [first = '', second] = textsOf(address.line)
  return {
    name,
    phone_number: textOf(phone?.value),
    medical_director: null,
    address:
      given === undefined
        ? null
        : {
            first_line: first,
            second_line: second ?? null,
            city: textOf(address.city) ?? '',
            state: textOf(address.state) ?? '',
            zip: textOf(address.postalCode) ?? '',
            country: textOf(address.country) ?? 'US',
          },
  }
}
