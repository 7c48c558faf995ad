import type { ReportedTest } from '@salus/contracts/lab-gateway'
import type { Segment } from '@salus/hl7v2'
import type { ResolvedConnection } from '../connection/resolved-connection.ts'
import { stripNumber } from '../connection/strip-number.ts'
import { readNamedCode, readParentCode } from './codes.ts'
import { orcOf, type TestGroup, textOfNotes } from './message-groups.ts'
import { orderStatusOf, type Standing } from './observation-status.ts'
import { readReportedTime } from './times.ts'

/** The numbers of a test, without what the connection strips. */
export interface TestNumbers {
  placers: string[]
  fillers: string[]
  /** ORC-4; '' when it is not given. */
  group: string
  /** Numbers of the test before it that led to it, from OBR-29. */
  parentPlacer: string
  parentFiller: string
}

/** Reads the numbers of a test. One without its own ORC has the placer number of the ORC before. */
export function readNumbers(test: TestGroup, { numbers }: ResolvedConnection): TestNumbers {
  const { obr, orc, sharedOrc } = test
  const strip = (number: string) => stripNumber(numbers.strip_from_results, number.trim())
  const read = (segment: Segment | undefined, field: number) =>
    segment?.field(field).repetitions.flatMap((each) => {
      const number = each.component(1).trim()
      return number === '' ? [] : [strip(number)]
    }) ?? []
  const either = (...lists: string[][]) => lists.find((list) => list.length > 0) ?? []
  return {
    placers: either(read(obr, 2), read(orc, 2), isReflex(obr) ? [] : read(sharedOrc, 2)),
    fillers: either(read(obr, 3), read(orc, 3)),
    group: strip(orcOf(test)?.text(4).trim() ?? ''),
    parentPlacer: strip(obr?.text(29, 1, 1).trim() ?? ''),
    parentFiller: strip(obr?.text(29, 2, 1).trim() ?? ''),
  }
}

const actionOf = (obr: Segment | undefined): string => obr?.text(11).trim().toUpperCase() ?? ''
/**
 * Whether another result led to a test: by OBR-11, or by OBR-26 with more than a code, since some
 * senders have other values there.
 */
function isReflex(obr: Segment | undefined): boolean {
  if (obr === undefined) return false
  if (actionOf(obr) === 'G') return true
  const hasResult = obr.text(26, 2) !== '' || obr.text(26, 3) !== '' || !obr.field(29).isEmpty
  return !obr.field(26).isEmpty && hasResult
}

/** Reads a test as reports have it. `standings` are those of its results. */
export function readTest(
  test: TestGroup,
  standings: readonly Standing[],
  connection: ResolvedConnection,
): ReportedTest {
  const { obr } = test
  const { placers, fillers, parentFiller } = readNumbers(test, connection)
  const code = obr === undefined ? undefined : readNamedCode(obr.field(4), connection)
  const hasParent = parentFiller !== '' || (isReflex(obr) && obr?.field(26).isEmpty === false)
  const parent = obr === undefined ? undefined : readParentCode(obr, connection.codes)
  return {
    provider_id: code?.provider_id ?? null,
    name: code?.name ?? '',
    loinc: code?.loinc ?? null,
    placer_number: placers[0] ?? null,
    filler_number: fillers[0] ?? null,
    status: statusOf(test, standings, connection),
    origin: isReflex(obr) ? 'reflex' : actionOf(obr) === 'A' ? 'added' : 'ordered',
    parent: hasParent
      ? {
          filler_number: parentFiller || null,
          provider_id: parent?.provider_id ?? null,
          loinc: parent?.loinc ?? null,
          sub_id: obr?.text(26, 2).trim() || null,
          value: obr?.text(26, 3).trim() || null,
        }
      : null,
    specimen: readSpecimen(test),
    collected_at: readCollection(test, connection.time_zone),
    reported_at: readReportedTime(obr?.text(22) ?? '', connection.time_zone),
    notes: textOfNotes(test.notes),
  }
}

/** Time of the draw: that of the specimen, else OBR-7. */
function readCollection({ specimens, obr }: TestGroup, zone: string): ReportedTest['collected_at'] {
  const times = [specimens[0]?.text(17), obr?.text(7)]
  return (
    times.map((text) => readReportedTime(text ?? '', zone)).find((time) => time !== null) ?? null
  )
}

type Status = ReportedTest['status']

/** OBR-25 of orders whose results are not all there or not all final. */
const INCOMPLETE = ['A', 'P', 'R', 'S', 'I', 'O']

function statusOf(
  test: TestGroup,
  standings: readonly Standing[],
  { result }: ResolvedConnection,
): Status {
  const declared = orderStatusOf(test.obr)
  const hasValues = standings.some((each) => each !== 'awaited' && each !== 'cancelled')
  if (isCancelled(test) && !hasValues) return 'cancelled'
  const byOrder = statusByOrder(declared, hasValues)
  if (result.final_when === 'obr25' && declared !== '') return byOrder
  if (standings.length === 0) return byOrder
  const status = leastComplete(standings)
  // The laboratory says itself that more will come.
  const isEnded = status === 'final' || status === 'corrected'
  return isEnded && INCOMPLETE.includes(declared) ? 'preliminary' : status
}

/** Cancelled by OBR-25, by the control code of ORC, or by the status of the order in ORC-5. */
function isCancelled(test: TestGroup): boolean {
  const orc = orcOf(test)
  return (
    orderStatusOf(test.obr) === 'X' ||
    ['CA', 'OC', 'UA', 'CR', 'DC', 'OD'].includes(orc?.text(1).trim().toUpperCase() ?? '') ||
    orc?.text(5).trim().toUpperCase() === 'CA'
  )
}

function statusByOrder(declared: string, hasValues: boolean): Status {
  if (declared === 'F') return 'final'
  if (declared === 'C') return 'corrected'
  if (declared === 'X') return 'cancelled'
  return hasValues ? 'preliminary' : 'pending'
}

function leastComplete(standings: readonly Standing[]): Status {
  const has = (standing: Standing) => standings.includes(standing)
  if (has('awaited'))
    return standings.every((each) => each === 'awaited') ? 'pending' : 'preliminary'
  if (has('preliminary')) return 'preliminary'
  if (standings.every((each) => each === 'cancelled')) return 'cancelled'
  return has('corrected') ? 'corrected' : 'final'
}

/** The first specimen of a test: SPM, or OBR-15 before 2.5. */
function readSpecimen({ specimens, obr }: TestGroup): ReportedTest['specimen'] {
  const [spm] = specimens
  if (spm !== undefined) {
    const { placer, filler } = readSpecimenNumbers(spm)
    return {
      number: filler ?? placer,
      type: nameIn(spm, 4),
      condition: nameIn(spm, 24),
      reject_reason: nameIn(spm, 21),
    }
  }
  const source = obr?.field(15)
  const type = source?.component(1, 2).trim() || source?.component(1, 1).trim() || null
  return type === null ? null : { number: null, type, condition: null, reject_reason: null }
}

/** Numbers of a specimen: ours, such as that of a kit, and the laboratory's. */
export function readSpecimenNumbers(spm: Segment): {
  placer: string | null
  filler: string | null
} {
  return { placer: spm.text(2, 1, 1).trim() || null, filler: spm.text(2, 2, 1).trim() || null }
}

const nameIn = (segment: Segment, field: number): string | null =>
  [2, 9, 5, 1].map((at) => segment.text(field, at).trim()).find((text) => text !== '') ?? null
