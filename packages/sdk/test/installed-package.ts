import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type HarnessServer, startHarnessServer } from '../../cli/src/testing/harness-server.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const BUILD = join(ROOT, 'scripts/build-sdk.ts')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

interface PackageFixture {
  server: HarnessServer
  installed: InstalledPackage
}

/** Creates a server and the packed SDK that calls it, for the tests of a file. */
export function createPackageFixture(): PackageFixture {
  const fixture = {} as PackageFixture
  before(async () => {
    const started = [startHarnessServer(), installPackage()] as const
    ;[fixture.server, fixture.installed] = await Promise.all(started)
    await fixture.server.harness.startJobs()
  })
  after(async () => {
    fixture.installed?.remove()
    await fixture.server?.stop()
  })
  return fixture
}

/** A folder in which only the packed SDK is installed. */
interface InstalledPackage {
  folder: string
  /** Size of the tarball in bytes. */
  packedBytes: number
  /** Runs a file of the folder; returns its output. */
  run(file: string, environment?: Record<string, string>, node?: string): Promise<string>
  /** Checks the types of its TypeScript files, and those of the SDK itself. */
  checkTypes(): Promise<void>
  remove(): void
}

/** Builds and packs the SDK, and installs the tarball in an empty folder, without a registry. */
async function installPackage(): Promise<InstalledPackage> {
  const folder = mkdtempSync(join(tmpdir(), 'salus-sdk-test-'))
  const built = join(folder, 'built')
  await run(process.execPath, [BUILD, built])
  const npm = (...args: string[]) => run('npm', args, { cwd: folder })
  const { stdout } = await npm('pack', built, '--json', '--pack-destination', folder)
  const [{ filename, size }] = JSON.parse(stdout)
  rmSync(built, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}')
  await npm('install', '--offline', '--no-audit', '--no-fund', join(folder, filename))
  return {
    folder,
    packedBytes: size,
    async run(file, environment = {}, node = process.execPath) {
      const env = { PATH: process.env.PATH ?? '', ...environment }
      const { stdout } = await run(node, [join(folder, file)], { cwd: folder, env })
      return stdout
    },
    checkTypes: () => checkTypes(folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function checkTypes(folder: string): Promise<void> {
  // Packages that the examples of the README use besides the SDK.
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
  for (const name of ['fastify', '@types/node']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  }
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023'],
    types: ['node'],
    allowImportingTsExtensions: true,
  }
  const config = { compilerOptions, include: ['*.ts', 'node_modules/@salus/sdk/*.d.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  await run(process.execPath, [TSC, '-p', folder]).catch(({ stdout }) => {
    throw new Error(stdout)
  })
}

/** Returns the examples of the README, by the name in their first line. */
export function readExamples(): Map<string, string> {
  const text = readFileSync(join(ROOT, 'packages/sdk/README.md'), 'utf8')
  const blocks = text.matchAll(/```[a-z]+.*\n\/\/ (\S+)\n([\s\S]*?)```/g)
  return new Map([...blocks].map(([, name = '', code = '']) => [name, code]))
}

/** Returns the environment variables that the examples of the README read. */
export function environmentOf({ server: { url, keys } }: PackageFixture): Record<string, string> {
  return {
    SALUS_URL: url,
    SALUS_API_KEY: keys.api_key,
    SALUS_MANAGEMENT_KEY: keys.management_key,
    SALUS_ORG_ID: keys.organization_id,
    SALUS_TEAM_ID: keys.team_id,
  }
}
