import { after, test } from 'node:test'
import {
  type BackupFixture,
  createBackupFixture,
} from '../../../server/test/backup/backup-fixture.ts'
import { assertOfItsInstant, takeUnderLoad } from '../../../server/test/backup/traffic.ts'

let fixture: BackupFixture | undefined
after(() => fixture?.close())

test('twelve backups, one after the other under load, are each of their instant', async (t) => {
  fixture = await createBackupFixture()
  const { traffic, manifests } = await takeUnderLoad(fixture, 12)
  for (const manifest of manifests) await assertOfItsInstant(fixture, manifest, traffic)
  t.diagnostic(`${traffic.uploads.size} uploads and ${traffic.orders.size} orders acknowledged`)
})
