import type { PageData } from '../../../connectors/index.ts'
import type { ImportFile } from '../../files/import-files.ts'
import { activitiesOf } from './fit/fit-activity.ts'
import { type FitFile, MOST_FIT_BYTES, manufacturerOf, readFit } from './fit/fit-file.ts'
import { providerOfManufacturer } from './makers.ts'
import type { RecordedActivity } from './recorded-activity.ts'
import type { RecordingKind } from './recording-kind.ts'
import { activitiesOfGpx, providerOfGpx } from './xml/gpx.ts'
import { activitiesOfTcx, providerOfTcx } from './xml/tcx-activities.ts'

/** What an activity file has. */
export interface Recording {
  activities: RecordedActivity[]
  /** FIT files that are no activities. */
  others: FitFile[]
  /** Tracks without times. */
  courses: number
}

/**
 * Reads an activity file. Invalid activities are quarantined by `data`.
 * @throws ImportFileError `malformed_file`, `malformed_xml`, `file_too_large`
 */
export async function readRecording(
  file: ImportFile,
  kind: RecordingKind,
  { data, now }: { data: PageData; now: Date },
): Promise<Recording> {
  if (kind === 'tcx') {
    const before = data.quarantined.length
    const activities = await activitiesOfTcx(data, file)
    const isCourse = activities.length === 0 && data.quarantined.length === before
    return { activities, others: [], courses: isCourse ? 1 : 0 }
  }
  if (kind === 'gpx') return { ...(await activitiesOfGpx(file, now)), others: [] }
  const parts = readFit(await file.content(MOST_FIT_BYTES))
  const isActivity = (part: FitFile) =>
    (part.all('file_id')[0]?.type ?? 'activity') === 'activity' || part.all('session').length > 0
  return {
    activities: parts.filter(isActivity).flatMap((part) => activitiesOf(data, part)),
    others: parts.filter((part) => !isActivity(part)),
    courses: 0,
  }
}

/** Returns the provider of an activity file by the maker of its device. */
export async function providerOfRecording(file: ImportFile, kind: RecordingKind): Promise<string> {
  if (kind === 'tcx') return providerOfTcx(file)
  if (kind === 'gpx') return providerOfGpx(file)
  return providerOfManufacturer(manufacturerOf(await file.opening()))
}
