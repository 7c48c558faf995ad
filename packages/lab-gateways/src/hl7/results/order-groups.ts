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
  const groups = new Map<string, OrderGroup>()
  const keys = new Map<TestGroup, string>()
  const join = ({ test, numbers }: (typeof entries)[number], key: string) => {
    const group = groups.get(key) ?? { tests: [], numbers: [] }
    keys.set(test, key)
    groups.set(key, { tests: [...group.tests, test], numbers: [...group.numbers, numbers] })
  }
  const isPlaced = ({ numbers }: (typeof entries)[number]) => numbers.placers.length > 0
  for (const entry of entries.filter(isPlaced)) join(entry, keyOf(entry.numbers, connection))
  const placedKeys = [...groups.keys()]
  for (const entry of entries.filter((each) => !isPlaced(each))) {
    const parent = entries.find((other) => isParent(other.numbers, entry.numbers))
    const ofParent = parent && keys.get(parent.test)
    const only = placedKeys.length === 1 ? placedKeys[0] : undefined
    join(entry, ofParent ?? only ?? `filler ${accessionOf(entry.numbers)}`)
  }
  return [...groups.values()].map((group) => inOrderOf(tests, group))
}

function keyOf(numbers: TestNumbers, { numbers: rules }: ResolvedConnection): string {
  // The group number may be the placer number of one of the tests.
  const isGrouped = rules.placer.per === 'test' && numbers.group !== ''
  return `placer ${isGrouped ? numbers.group : numbers.placers[0]}`
}

function isParent(of: TestNumbers, child: TestNumbers): boolean {
  const { parentPlacer, parentFiller } = child
  if (of === child) return false
  return (
    (parentFiller !== '' && of.fillers.includes(parentFiller)) ||
    (parentPlacer !== '' && of.placers.includes(parentPlacer))
  )
}

/** The number of an accession without the number of the test behind it, such as `FL26-0012-1`. */
const accessionOf = ({ fillers, parentFiller }: TestNumbers): string =>
  (parentFiller || (fillers[0] ?? '')).replace(/[-._]\d{1,2}$/, '')

/** The tests of a group in the order of the message. */
function inOrderOf(tests: readonly TestGroup[], group: OrderGroup): OrderGroup {
  const pairs = group.tests.map((test, index) => ({
    test,
    numbers: group.numbers[index] as TestNumbers,
  }))
  pairs.sort((a, b) => tests.indexOf(a.test) - tests.indexOf(b.test))
  return { tests: pairs.map(({ test }) => test), numbers: pairs.map(({ numbers }) => numbers) }
}

/** Refers to the order of a group, in the ways that the connection allows. */
export function referTo(
  { tests, numbers }: OrderGroup,
  connection: ResolvedConnection,
): OrderReference {
  const { match } = connection.result
  const placerNumbers = distinct(numbers.flatMap(({ placers }) => placers))
  const fillerNumbers = distinct(numbers.flatMap(({ fillers }) => fillers))
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
