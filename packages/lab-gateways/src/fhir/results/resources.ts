import { UnreadableMessage } from '@salus/contracts/lab-gateway'
import { type Json, objectOf, objectsOf, parseNumbersAsText, textOf } from '../json.ts'

/** A resource of a message, with the resource that contains it. */
export interface Resource {
  type: string
  json: Json
  /** `fullUrl` of its entry; null without one. */
  url: string | null
  /** The resource whose `contained` it is in; null at the top. */
  container: Resource | null
}

/** The last two parts of a reference, `Type/id`, without a version. */
export function relativeOf(reference: string): string | null {
  const [path = ''] = reference.split(/\/_history\/|[?#]/)
  const found = /(?:^|\/)([A-Z][A-Za-z]{2,40})\/([A-Za-z0-9.-]{1,64})$/.exec(path)
  return found === null ? null : `${found[1]}/${found[2]}`
}

/** The resources of a message, by every way in which they are referred to. */
export class Resources {
  readonly all: Resource[] = []
  readonly #byUrl = new Map<string, Resource>()
  readonly #byId = new Map<string, Resource | null>()
  readonly #byIdentifier = new Map<string, Resource | null>()

  constructor(root: Json) {
    if (root.resourceType === 'Bundle') this.#addEntries(root)
    else this.#add(root, null, null)
  }

  #addEntries(bundle: Json, depth = 0): void {
    for (const { resource, fullUrl } of objectsOf(bundle.entry)) {
      const json = objectOf(resource)
      // A Bundle in a Bundle, as in a history or a batch of messages.
      if (json.resourceType === 'Bundle' && depth < 3) this.#addEntries(json, depth + 1)
      else this.#add(json, textOf(fullUrl), null)
    }
  }

  #add(json: Json, url: string | null, container: Resource | null): void {
    const type = textOf(json.resourceType)
    if (type === null) return
    const added: Resource = { type, json, url, container }
    this.all.push(added)
    const id = textOf(json.id)
    if (container === null) {
      if (url !== null && !this.#byUrl.has(url)) this.#byUrl.set(url, added)
      if (id !== null) this.#index(this.#byId, `${type}/${id}`, added)
      for (const contained of objectsOf(json.contained)) this.#add(contained, null, added)
    }
    for (const { system, value } of objectsOf(json.identifier)) {
      const number = textOf(value)
      if (number === null) continue
      this.#index(this.#byIdentifier, `${type} ${textOf(system) ?? ''}|${number}`, added)
    }
  }

  /** Two resources with one name are found by neither, so that no wrong one is taken. */
  #index(index: Map<string, Resource | null>, key: string, added: Resource): void {
    index.set(key, index.has(key) ? null : added)
  }

  ofType(type: string): Resource[] {
    return this.all.filter((resource) => resource.type === type)
  }

  /**
   * Returns the resource of a Reference: by `#id` in the same container, by `fullUrl`, by `Type/id`
   * or by an identifier; undefined when the message has not exactly one.
   */
  find(reference: unknown, from: Resource): Resource | undefined {
    const { reference: given, identifier, type } = objectOf(reference)
    const target = textOf(given)
    if (target?.startsWith('#')) return this.#contained(target.slice(1), from)
    if (target !== null) {
      const relative = relativeOf(target)
      const found = this.#byUrl.get(target) ?? (relative && this.#byId.get(relative))
      if (found) return found
    }
    const { system, value } = objectOf(identifier)
    const [number, kind] = [textOf(value), textOf(type)]
    if (number === null || kind === null) return undefined
    return this.#byIdentifier.get(`${kind} ${textOf(system) ?? ''}|${number}`) ?? undefined
  }

  #contained(id: string, { container, ...from }: Resource): Resource | undefined {
    const owner = container?.json ?? from.json
    const found = this.all.filter(
      (each) => each.container?.json === owner && textOf(each.json.id) === id,
    )
    return found.length === 1 ? found[0] : undefined
  }

  /** Returns the resources of a list of References that the message has. */
  findAll(references: unknown, from: Resource): Resource[] {
    return objectsOf(references).flatMap((reference) => this.find(reference, from) ?? [])
  }
}

/**
 * Reads the resources of a message: a Bundle of any type, or one resource.
 * @throws UnreadableMessage for what is no resource
 */
export function readResources(content: Buffer): Resources {
  const root = parseNumbersAsText(content)
  const isObject = typeof root === 'object' && root !== null && !Array.isArray(root)
  if (!isObject || textOf((root as Json).resourceType) === null) {
    throw new UnreadableMessage('wrong_shape')
  }
  return new Resources(root as Json)
}
