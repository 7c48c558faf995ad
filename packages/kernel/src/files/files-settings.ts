import { StartupError } from '../errors.ts'
import { setting } from '../settings.ts'
import { type FilesLocation, parseFilesUrl } from './files-location.ts'

const text = (given: string | undefined): string | undefined => given || undefined

/** Settings of the storage of files and its credentials. */
export const FILES_SETTINGS = {
  filesLocation: setting(
    'SALUS_FILES_URL',
    'Storage of files: file:///folder, or s3://bucket/prefix?region=…&endpoint=https://… for Amazon S3 and compatible services. Without it files are stored in SALUS_DATA_DIR.',
    '',
    filesUrl,
  ),
  s3AccessKeyId: setting(
    'AWS_ACCESS_KEY_ID',
    'Access key for the bucket of SALUS_FILES_URL, used with AWS_SECRET_ACCESS_KEY; without both the role of the machine or container is used.',
    '',
    text,
  ),
  s3SecretAccessKey: setting(
    'AWS_SECRET_ACCESS_KEY',
    'Secret that belongs to AWS_ACCESS_KEY_ID.',
    '',
    text,
  ),
  s3SessionToken: setting(
    'AWS_SESSION_TOKEN',
    'Session token that belongs to a temporary AWS_ACCESS_KEY_ID.',
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
