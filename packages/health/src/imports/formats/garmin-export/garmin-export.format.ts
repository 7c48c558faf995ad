import type { ImportFiles } from '../../files/import-files.ts'
import { ASK_TIME_ZONE, hasTimeZone } from '../../import-options.ts'
import type { ImportFormat } from '../import-format.ts'
import { ACCOUNT, type GarminMember, garminMemberOf, inOrderOfExport } from './garmin-members.ts'

/** Files of JSON before the first one of Garmin: an export of another kind has thousands. */
const MOST_OTHER_FILES = 500

/** The export of a Garmin account. */
export const GARMIN_EXPORT: ImportFormat = {
  slug: 'garmin_export',
  title: 'Export of a Garmin account',
  howToExport:
    'On garmin.com: Account, Data Management, Export Your Data, Request Data Export. Garmin sends an e-mail with the address of the zip.',
  provider: 'garmin',
  notes: [
    'Days, nights and activities have the ids of a connection of Garmin: the date, or the id of the activity.',
    'Where files overlap, the day or night of the latest one counts.',
    'The files of the device (FIT, also those in zips inside) add streams, heart rates and distances to the activities of the same start, and steps, heart rates and stress of days.',
    'Nights have the sums of their stages; the export has no stages by time.',
    'The calories of an activity come from its file. The summaries have kcal or kJ, and are read only where the files of other activities show which.',
    'The stress of a day, training scores, body battery and the data of the account are not read.',
    'Single answers of the pages of Garmin Connect (JSON), as programs for downloading save them, are read too: heart rates, variability, nights, days and weights.',
    'Names of files have the e-mail address of the person and are not kept.',
  ],
  options: ['time_zone'],
  async recognize({ files }) {
    if (files.some(({ path }) => ACCOUNT.test(path))) return true
    let others = 0
    for (const file of files) {
      if ((await garminMemberOf(file)) !== undefined) return true
      if (file.name.endsWith('.json') && ++others > MOST_OTHER_FILES) return false
    }
    return false
  },
  async ask({ files, options }) {
    if (hasTimeZone(options)) return []
    const { hasLocalWeight } = await import('./garmin-measurements.ts')
    for (const { file, kind } of await membersOf(files)) {
      if (kind === 'userBioMetrics' && (await hasLocalWeight(file))) return [ASK_TIME_ZONE]
    }
    return []
  },
  async read(context, out) {
    const members = await membersOf(context.files)
    const written = members.flatMap(({ file }) => file.writtenAt ?? [])
    out.exportedAt = written.length === 0 ? null : written.reduce((a, b) => Math.max(a, b))
    const { GarminImport } = await import('./garmin-import.ts')
    await new GarminImport(context, out, members).read()
  },
}

/** Members by their files: questions and reading need them. */
const MEMBERS = new WeakMap<ImportFiles, Promise<GarminMember[]>>()

function membersOf(files: ImportFiles): Promise<GarminMember[]> {
  const members = MEMBERS.get(files) ?? findMembers(files)
  MEMBERS.set(files, members)
  return members
}

/** Files are looked at one after another: an archive may have hundreds of thousands. */
async function findMembers({ files }: ImportFiles): Promise<GarminMember[]> {
  const members: GarminMember[] = []
  for (const file of files) {
    const member = await garminMemberOf(file)
    if (member !== undefined) members.push(member)
  }
  return inOrderOfExport(members)
}
