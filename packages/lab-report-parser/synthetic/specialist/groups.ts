import {
  addTruth,
  drawGroupedEntry,
  drawMarks,
  type Entry,
  type Groups,
  writeReference,
} from './entries.ts'
import { drawEntries } from './panels.ts'
import { drawKindHeading, type Sheet, sayFor } from './sheet.ts'
import { type SpecialistTest, testsOf } from './tests.ts'

/** First and last year of an age group that shares a range. */
const AGES: [number, number][] = [
  [15, 34],
  [35, 49],
  [50, 64],
  [65, 99],
]

function ageOf({ person, collected }: Sheet): number {
  const years = collected.getUTCFullYear() - person.birth.getUTCFullYear()
  const hadBirthday =
    collected.getUTCMonth() > person.birth.getUTCMonth() ||
    (collected.getUTCMonth() === person.birth.getUTCMonth() &&
      collected.getUTCDate() >= person.birth.getUTCDate())
  return hadBirthday ? years : years - 1
}

/**
 * Prints the groups one below the other; in the unseen part on one line, some with the group after
 * the interval.
 */
function writeGroups(sheet: Sheet, labels: readonly string[], test: SpecialistTest): string {
  const ranges = test.range.split('/').map((range) => writeReference(sheet, range) ?? '')
  if (sheet.part === 'tuned') return labels.map((label, at) => `${label}: ${ranges[at]}`).join('\n')
  return sheet.random.chance(0.5)
    ? labels.map((label, at) => `${ranges[at]} (${label})`).join('\n')
    : labels.map((label, at) => `${label} ${ranges[at]}`).join('; ')
}

const GROUPS: Record<string, (sheet: Sheet, test: SpecialistTest) => Groups> = {
  sexes: (sheet, test) => ({
    text: writeGroups(sheet, [sayFor(sheet, 'male'), sayFor(sheet, 'female')], test),
    applies: sheet.person.sex === 'male' ? 0 : 1,
  }),
  ages: (sheet, test) => {
    const age = ageOf(sheet)
    const years = sayFor(sheet, 'years')
    return {
      text: writeGroups(
        sheet,
        AGES.map(([from, to]) => `${from}-${to} ${years}`),
        test,
      ),
      applies: AGES.findIndex(([from, to]) => age >= from && age <= to),
    }
  },
  // The report does not contain the phase of the cycle.
  phases: (sheet, test) => ({
    text: writeGroups(
      sheet,
      ['follicular', 'midcycle', 'luteal'].map((phase) => sayFor(sheet, phase)),
      test,
    ),
    applies: null,
  }),
}

/** Draws rows with ranges by sex and age, or by phase of the cycle. */
export function drawGroups(sheet: Sheet): void {
  const kinds = sheet.kind === 'phases' ? ['phases'] : ['sexes', 'ages']
  const panel = drawKindHeading(sheet)
  const marks = drawMarks(sheet)
  const entries: Entry[] = kinds.flatMap((kind) =>
    testsOf(kind)
      .filter(({ loinc }) => loinc !== '2857-1' || sheet.person.sex === 'male')
      .flatMap((test) => {
        const groups = GROUPS[kind]?.(sheet, test)
        return groups ? [drawGroupedEntry(sheet, test, marks, groups)] : []
      }),
  )
  drawEntries(sheet, entries)
  addTruth(sheet, entries, panel)
}
