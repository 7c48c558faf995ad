import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { startTestServer } from './testing/salus-process.ts'
import { testAudit } from './testing/server-machine/audit.cases.ts'
import { testBackup } from './testing/server-machine/backup.cases.ts'
import { testConsole } from './testing/server-machine/console.cases.ts'
import { testKeyRecovery } from './testing/server-machine/key-recovery.cases.ts'
import { testListening } from './testing/server-machine/listening.cases.ts'
import type { MachineFixture } from './testing/server-machine/machine-fixture.ts'
import { testReader } from './testing/server-machine/reader.cases.ts'

/** Commands on the machine of a server of its own, which is killed and comes back. */

// One server for all: to start another one takes longer than most of them.
const fixture = {} as MachineFixture
before(async () => {
  fixture.folder = mkdtempSync(join(tmpdir(), 'salus-cli-machine-'))
  fixture.server = await startTestServer()
})
after(async () => {
  await fixture.server?.stop()
  rmSync(fixture.folder, { recursive: true, force: true })
})

testConsole(fixture)
testReader(fixture)
// The others go on with what was restored.
testBackup(fixture)
testListening(fixture)
testAudit(fixture)
testKeyRecovery(fixture)
