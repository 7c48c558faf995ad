import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile, ImportFiles } from '../../files/import-files.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import type { ImportContext, ImportFormat } from '../import-format.ts'
import type { FitFile } from './fit/fit-file.ts'
import { ANY_MAKER } from './makers.ts'
import { kindOf, type RecordingKind } from './recording-kind.ts'

/** Files that hold data in other exports. */
const DATA = /\.(?:csv|json|xml|db|sqlite|html)$/
const NAMES = /\.(?:fit|tcx|gpx)$/
const MONITORING: ReadonlySet<unknown> = new Set([
  'monitoring_a',
  'monitoring_daily',
  'monitoring_b',
])

/** Activity files of watches and bicycle computers: one, or several in a zip. */
export const ACTIVITY_FILE: ImportFormat = {
  slug: 'activity_file',
  title: 'Activity file (FIT, TCX or GPX)',
  howToExport:
    'In the app or on the web pages of the device, open the activity and export it as FIT (often named original), TCX or GPX. Several files can be put into one zip.',
  provider: providerOf,
  notes: [
    'Each session of a FIT file, each activity of a TCX file and each track of a GPX file becomes a workout with its stream, heart rates and distances.',
    'The provider is that of the maker of the device where it is one of the providers of Salus, otherwise `manual`.',
    'A file of the same second of start is the same workout. FIT counts above TCX, and TCX above GPX, in any order of imports.',
    'A FIT file of monitoring becomes steps, distances, heart rates, stress, and the totals of its days; one of a scale becomes body measurements.',
    'Courses, settings, workout plans and tracks without times are no measurements and are refused.',
    'A FIT file with a wrong checksum is refused.',
  ],
  options: ['time_zone'],
  async recognize({ files }) {
    const [first] = files
    if (files.length === 1 && first !== undefined) return (await kindOf(first)) !== undefined
    const named = files.filter(({ name }) => NAMES.test(name))
    const others = files.filter(({ name }) => DATA.test(name))
    // A zip with some routes among other data is another export.
    if (named.length < others.length) return false
    for (const file of named) if ((await kindOf(file)) !== undefined) return true
    return false
  },
  async read(context, out) {
    const { files } = context.files
    const [only] = files
    if (files.length === 1 && only !== undefined) return readAlone(only, context, out)
    for (const file of files) {
      const kind = NAMES.test(file.name) ? await kindOf(file) : undefined
      if (kind === undefined) continue
      try {
        await readFile(file, kind, context, out)
      } catch (error) {
        if (!(error instanceof ImportFileError)) throw error
        // The others are sound.
        const data = out.type(kind, 'workouts')
        data.count()
        data.quarantine('workouts', 'invalid_field', { file: error.code })
      }
      await out.settle()
    }
  },
}

/** Returns the provider that all files have; `manual` where they differ. */
async function providerOf({ files }: ImportFiles): Promise<string> {
  const { providerOfRecording } = await import('./read-recording.ts')
  const found = new Set<string>()
  for (const file of files) {
    const kind = files.length === 1 || NAMES.test(file.name) ? await kindOf(file) : undefined
    if (kind === undefined) continue
    try {
      found.add(await providerOfRecording(file, kind))
    } catch (error) {
      if (!(error instanceof ImportFileError)) throw error
    }
    if (found.size > 1) return ANY_MAKER
  }
  return [...found][0] ?? ANY_MAKER
}

/** Reads a file that was uploaded alone: what it lacks is a reason to refuse it. */
async function readAlone(file: ImportFile, context: ImportContext, out: ImportWriter) {
  const kind = await kindOf(file)
  if (kind === undefined) return
  const { measurements, courses } = await readFile(file, kind, context, out)
  if (measurements > 0) return
  const hint =
    courses > 0
      ? 'It has a route without times, which is no workout.'
      : 'It has settings, a plan or a course, and no measurements.'
  throw new ImportFileError('unknown_format', { hint })
}

async function readFile(
  file: ImportFile,
  kind: RecordingKind,
  context: ImportContext,
  out: ImportWriter,
): Promise<{ measurements: number; courses: number }> {
  const { readRecording } = await import('./read-recording.ts')
  const { addActivity } = await import('./recorded-activity.ts')
  const { now } = context
  const data = out.type(kind, 'workouts')
  const before = data.quarantined.length
  const { activities, others, courses } = await readRecording(file, kind, { data, now })
  data.count(activities.length + data.quarantined.length - before)
  for (const activity of activities) addActivity(data, activity, { now })
  let measurements = activities.length + data.quarantined.length - before
  for (const other of others) if (await addOther(other, context, out)) measurements += 1
  for (let index = 0; index < courses; index++) data.countNotSupported()
  await out.settle()
  return { measurements, courses }
}

/** Adds a FIT file that is no activity. @returns whether it has measurements */
async function addOther(
  file: FitFile,
  context: ImportContext,
  out: ImportWriter,
): Promise<boolean> {
  const { addMonitoring } = await import('./fit/fit-monitoring.ts')
  const { addWeights } = await import('./fit/fit-weight.ts')
  const type = file.all('file_id')[0]?.type
  if (MONITORING.has(type)) addMonitoring(file, out, context, { withDays: true })
  else if (type === 'weight') addWeights(file, out, context.now)
  else out.type('fit', 'workouts').countNotSupported()
  return MONITORING.has(type) || type === 'weight'
}
