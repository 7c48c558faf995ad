import { S3ServiceException } from '@aws-sdk/client-s3'
import { AppError } from '../errors.ts'
import { FileMissingError } from './file-store.ts'

const UNAVAILABLE = 'The storage of files does not answer. Try again.'

/**
 * Throws the error with the code of the service; its own message may contain the key of an object.
 */
export function throwKnown(error: unknown): never {
  const isService = error instanceof S3ServiceException
  if (isService && ['NoSuchKey', 'NotFound'].includes(error.name)) {
    throw new FileMissingError('The file is not there.', { cause: error })
  }
  throw new AppError(503, 'storage_unavailable', UNAVAILABLE, {}, { cause: error })
}
