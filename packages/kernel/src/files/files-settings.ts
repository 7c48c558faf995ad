import { StartupError } from '../errors.ts'
import { setting } from '../settings.ts'
import { type FilesLocation, parseFilesUrl } from './files-location.ts'

const text = (given: string | undefined): string | undefined => given || undefined

/** Settings of where files are, and of what opens that. */
export const FILES_SETTINGS = {
  filesLocation: setting(
    'SALUS_FILES_URL',
    'Where files are kept: file:///folder, or s3://bucket/prefix?region=…&endpoint=https://… for Amazon S3 and services that speak its protocol. Without it they are under SALUS_DATA_DIR.',
    '',
    filesUrl,
  ),
  s3AccessKeyId: setting(
    'AWS_ACCESS_KEY_ID',
    'Opens the bucket of SALUS_FILES_URL, with AWS_SECRET_ACCESS_KEY; without both the role of the machine or container does.',
    '',
    text,
  ),
  s3SecretAccessKey: setting('AWS_SECRET_ACCESS_KEY', 'The secret of AWS_ACCESS_KEY_ID.', '', text),
  s3SessionToken: setting(
    'AWS_SESSION_TOKEN',
    'Goes with an AWS_ACCESS_KEY_ID that is of a session.',
    '',
    text,
  ),
}

function filesUrl(text: string | undefined): FilesLocation | undefined {
  if (text === undefined || text === '') return undefined
  const location = parseFilesUrl(text)
  if (location !== undefined) return location
  throw new StartupError(
    'SALUS_FILES_URL must be file:///folder or s3://bucket/prefix?region=…&endpoint=https://….',
  )
}
