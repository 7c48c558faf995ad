// @ts-expect-error: it has no types
import S3rver from '@20minutes/s3rver'

/** A bucket of its own on a server of S3's protocol, kept in a folder. */
export interface TestBucket {
  bucket: string
  endpoint: string
  close(): Promise<unknown>
}

/** What it takes for a login. */
export const S3_CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

export async function startTestBucket(directory: string, bucket: string): Promise<TestBucket> {
  const server = new S3rver({
    // It signs the bare name of a bucket in a way of its own.
    ...{ port: 0, address: '127.0.0.1', silent: true, allowMismatchedSignatures: true },
    ...{ directory, configureBuckets: [{ name: bucket, configs: [] }] },
  })
  const { port } = await server.run()
  return { bucket, endpoint: `http://127.0.0.1:${port}`, close: () => server.close() }
}
