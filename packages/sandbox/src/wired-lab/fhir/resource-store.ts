import { type Json, objectOf, objectsOf, textOf } from './json.ts'

/** Resources of a FHIR server in memory, each by `Type/id` in its newest version. */
export class ResourceStore {
  readonly #resources = new Map<string, Json>()
  readonly #now: () => Date
  #count = 0

  constructor(now: () => Date) {
    this.#now = now
  }

  get(path: string): Json | undefined {
    return this.#resources.get(path)
  }

  /** Stores a version of a resource: the next one of its id, or the first under a new id. */
  put(resource: Json): { path: string; isNew: boolean; version: string } {
    const type = textOf(resource.resourceType)
    const id = textOf(resource.id) || String(++this.#count)
    const path = `${type}/${id}`
    const known = this.#resources.get(path)
    const version = String(Number(objectOf(known?.meta).versionId ?? 0) + 1)
    const meta = { versionId: version, lastUpdated: this.#now().toISOString() }
    this.#resources.set(path, { ...resource, id, meta })
    return { path, isNew: known === undefined, version }
  }

  /** Returns the path of the resource that a search names: `identifier=system|value`. */
  findByIdentifier(type: string, search: string): string | undefined {
    const [system, value] = new URLSearchParams(search).get('identifier')?.split('|') ?? []
    const isSame = (identifier: Json) => identifier.system === system && identifier.value === value
    const found = [...this.#resources].find(
      ([path, { identifier }]) => path.startsWith(`${type}/`) && objectsOf(identifier).some(isSame),
    )
    return found?.[0]
  }

  /** Returns the resources of a type that changed at a time or later, the oldest first. */
  changedSince(type: string, since: number): Json[] {
    const updatedAt = ({ meta }: Json) => Date.parse(textOf(objectOf(meta).lastUpdated))
    return [...this.#resources.values()]
      .filter((each) => each.resourceType === type && !(updatedAt(each) < since))
      .toSorted((a, b) => updatedAt(a) - updatedAt(b))
  }
}
