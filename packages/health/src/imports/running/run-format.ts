import { ImportFileError } from '../files/import-file-error.ts'
import type { ImportFiles } from '../files/import-files.ts'
import { findFormat, recognizeFormat } from '../formats/formats.registry.ts'
import type { ImportContext, ImportFormat, ImportUser } from '../formats/import-format.ts'
import type { ImportOptions } from '../import-options.ts'
import { createLocalClock } from './local-clock.ts'

/**
 * Finds the format of the files.
 * @param slug The format that the caller named; undefined to recognize it.
 * @throws ImportFileError `unknown_format`; `wrong_format` where the named one does not fit, with
 *   the format that does
 */
export async function chooseFormat(files: ImportFiles, slug?: string): Promise<ImportFormat> {
  if (slug === undefined) return recognizeFormat(files)
  const named = findFormat(slug)
  if (named?.refusesOthers) return named
  if (named !== undefined && (await named.recognize(files))) return named
  const other = await recognizeFormat(files)
  throw new ImportFileError('wrong_format', { hint: `It is: ${other.title} (${other.slug}).` })
}

/** Returns what a format knows beside its files. Local times take the zone of the options. */
export function createContext(context: Omit<ImportContext, 'clock'>): ImportContext {
  const options = { ...withZoneOfUser(context.user), ...context.options }
  return { ...context, options, clock: createLocalClock(options.time_zone) }
}

function withZoneOfUser(user: ImportUser): ImportOptions {
  const zone = user.fallback_time_zone
  return zone === null ? {} : { time_zone: zone }
}

/** Returns the provider of the data of some files. */
export async function providerOf({ provider }: ImportFormat, files: ImportFiles): Promise<string> {
  return typeof provider === 'string' ? provider : await provider(files)
}
