import type { ImportFiles } from '../../files/import-files.ts'
import { ASK_TIME_ZONE, hasTimeZone } from '../../import-options.ts'
import { writtenAtOf } from '../../running/export-version.ts'
import type { ImportFormat } from '../import-format.ts'
import { kindOfFile, type PolarFile } from './polar-files.ts'

/** Named files of another export before the first one of Polar. */
const MOST_OTHER_FILES = 50

const HAS_OFFSET = /"time[zZ]oneOffset(?:Minutes)?"\s*:\s*-?\d/

/** The data that people download from Polar Flow. */
export const POLAR: ImportFormat = {
  slug: 'polar',
  title: 'User data of Polar Flow',
  howToExport:
    'On account.polar.com: sign in, Download your data. The e-mail has a link to a zip; there may be several.',
  provider: 'polar',
  notes: [
    'Days and nights have the ids of a connection with Polar; trainings do not, and are a source of their own beside it.',
    'Continuous heart rates and steps have the clock of the day without an offset: they take the time zone of the options.',
    'The calories of a day include the energy at rest. Heart rate variability and breaths are those of the night.',
    'Numbers of sports are only known for running and cycling. Files of the account, beats and plans are not read.',
  ],
  options: ['time_zone'],
  async recognize(files) {
    return (await findFiles(files, true)).length > 0
  },
  async ask({ files, options }) {
    if (hasTimeZone(options)) return []
    for (const { file, kind } of await findFiles(files, false)) {
      if (kind === 'heartRates' || kind === 'activity') return [ASK_TIME_ZONE]
      // A training has its offset, or none.
      const hasOffset = kind !== 'training' || HAS_OFFSET.test(String(await file.content()))
      if (!hasOffset) return [ASK_TIME_ZONE]
    }
    return []
  },
  async read(context, out) {
    const { importTrainings } = await import('./import-trainings.ts')
    const { importDays, importHeartRates } = await import('./import-days.ts')
    const { importNights } = await import('./import-nights.ts')
    const { importWeights } = await import('./import-weights.ts')
    out.exportedAt = writtenAtOf(context.files.files, context.now)
    const found = await findFiles(context.files, false)
    const ofKind = (kind: PolarFile['kind']) =>
      found.filter((one) => one.kind === kind).map(({ file }) => file)
    await importTrainings(ofKind('training'), context, out)
    await importDays(ofKind('activity'), context, out)
    await importHeartRates(ofKind('heartRates'), context, out)
    const nights = { scores: ofKind('sleepScores'), recoveries: ofKind('recoveries') }
    await importNights({ ...nights, results: ofKind('sleepResults') }, context, out)
    await importWeights(ofKind('weights'), context, out)
  },
}

/** @param isFirst Whether one that is proven by its content is enough. */
async function findFiles({ files }: ImportFiles, isFirst: boolean): Promise<PolarFile[]> {
  const found: PolarFile[] = []
  let others = 0
  for (const file of files) {
    const kind = await kindOfFile(file, isFirst)
    if (kind !== undefined) found.push({ file, kind })
    else if (/^(training|activity|247|sleep|nightly|calendar)/.test(file.name)) others++
    if (isFirst && (found.length > 0 || others > MOST_OTHER_FILES)) break
  }
  return found
}
