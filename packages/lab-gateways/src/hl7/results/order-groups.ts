import type { OrderReference } from '@salus/contracts/lab-gateway'
import type { ResolvedConnection } from '../connection/resolved-connection.ts'
import type { PatientGroup, TestGroup } from './message-groups.ts'
import { readNumbers, readSpecimenNumbers, type TestNumbers } from './read-test.ts'

/** The tests of one order in a message. */
export interface OrderGroup {
  tests: TestGroup[]
  numbers: TestNumbers[]
}

/**
 * Groups the tests of a patient by order. Tests belong together by the placer number, or by the
 * group number (ORC-4) where each test has a placer number of its own. A test without a placer
 * number, such as a reflex, belongs to the order of its parent, else to the only order of the
 * patient; else tests belong together by the laboratory's accession number.
 */
export function groupByOrder(
  { tests }: PatientGroup,
  connection: ResolvedConnection,
): OrderGroup[] {
  const entries = tests.map((test) => ({ test, numbers: readNumbers(test, connection) }))
  const keys = new Map<Entry, string>()
  const isPlaced = ({ numbers }: Entry) => numbers.placers.length > 0
  for (const entry of entries.filter(isPlaced)) keys.set(entry, keyOf(entry.numbers, connection))
  const placedKeys = [...new Set(keys.values())]
  const only = placedKeys.length === 1 ? placedKeys[0] : undefined
  const parents = new Parents(entries)
  for (const entry of entries.filter((each) => !isPlaced(each))) {
    const parent = parents.of(entry)
    const ofParent = parent && keys.get(parent)
    keys.set(entry, ofParent ?? only ?? `filler ${accessionOf(entry.numbers)}`)
  }
  const groups = new Map<string, OrderGroup>()
  for (const entry of entries) {
    const key = keys.get(entry) as string
    const group = groups.get(key) ?? { tests: [], numbers: [] }
    group.tests.push(entry.test)
    group.numbers.push(entry.numbers)
    groups.set(key, group)
  }
  return [...groups.values()]
}

interface Entry {
  test: TestGroup
  numbers: TestNumbers
}

/** Finds the tests that OBR-29 names. */
class Parents {
  readonly #byFiller = new Map<string, Entry[]>()
  readonly #byPlacer = new Map<string, Entry[]>()

  constructor(entries: readonly Entry[]) {
    for (const entry of entries) {
      for (const number of entry.numbers.fillers) add(this.#byFiller, number, entry)
      for (const number of entry.numbers.placers) add(this.#byPlacer, number, entry)
    }
  }

  of(child: Entry): Entry | undefined {
    const { parentFiller, parentPlacer } = child.numbers
    const named = [
      ...(this.#byFiller.get(parentFiller) ?? []),
      ...(this.#byPlacer.get(parentPlacer) ?? []),
    ]
    return named.find((entry) => entry !== child)
  }
}

/** Two are enough to find one that is not the test itself. */
function add(map: Map<string, Entry[]>, number: string, entry: Entry): void {
  const known = map.get(number)
  if (known === undefined) map.set(number, [entry])
  else if (known.length < 2) known.push(entry)
}

function keyOf(numbers: TestNumbers, { numbers: rules }: ResolvedConnection): string {
  // The group number may be the placer number of one of the tests.
  const isGrouped = rules.placer.per === 'test' && numbers.group !== ''
  return `placer ${isGrouped ? numbers.group : numbers.placers[0]}`
}

/** The number of an accession without the number of the test behind it, such as `FL26-0012-1`. */
const accessionOf = ({ fillers, parentFiller }: TestNumbers): string =>
  (parentFiller || (fillers[0] ?? '')).replace(/[-._]\d{1,2}$/, '')

/** Refers to the order of a group, in the ways that the connection allows. */
export function referTo(
  { tests, numbers }: OrderGroup,
  connection: ResolvedConnection,
): OrderReference {
  const { match } = connection.result
  // A reflex that comes alone has a number of its own only; its parent is a test of the order.
  const reflexes = numbers.filter(({ placers }) => placers.length === 0)
  const placerNumbers = distinct([
    ...numbers.flatMap(({ placers }) => placers),
    ...reflexes.flatMap(({ parentPlacer }) => parentPlacer || []),
  ])
  const fillerNumbers = distinct([
    ...numbers.flatMap(({ fillers }) => fillers),
    ...reflexes.flatMap(({ parentFiller }) => parentFiller || []),
  ])
  const sampleId = sampleIdOf({ tests, numbers }, connection)
  return {
    ...(match.includes('placer') && placerNumbers.length > 0 && { placerNumbers }),
    ...(match.includes('filler') && fillerNumbers.length > 0 && { fillerNumbers }),
    ...(sampleId !== null && { sampleId }),
    labSlug: connection.lab,
  }
}

/**
 * The number that the order calls `sample_id`: that of the requisition, which is ORC-4, or the
 * placer number where it is printed on the requisition, or the accession number where the
 * laboratory gives it; else the number of the kit.
 */
function sampleIdOf(
  { tests, numbers }: OrderGroup,
  { numbers: rules, result }: ResolvedConnection,
): string | null {
  const source = rules.requisition.source
  const [first] = numbers
  const ofRequisition =
    first?.group ||
    (source === 'placer' && rules.placer.per === 'requisition' && first?.placers[0]) ||
    (source === 'laboratory' && first?.fillers[0]) ||
    null
  if (result.match.includes('requisition') && ofRequisition !== null) return ofRequisition
  if (!result.match.includes('specimen')) return null
  const specimens = tests.flatMap((test) => test.specimens.map(readSpecimenNumbers))
  return specimens.find(({ placer }) => placer !== null)?.placer ?? null
}

const distinct = (numbers: readonly string[]): string[] => [...new Set(numbers)]
