import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { FETCHED_CHROMIUM, findChromium } from '../packages/web/test/find-chromium.ts'

/**
 * Fetches a Chromium for the tests of pages where none is found, by way of the registry of npm:
 *
 *   npm run chromium
 *
 * It stays under node_modules/.cache until the next `npm ci`; see
 * docs/decisions/0062-a-chromium-from-npm.md.
 */

/** Holds a headless Chromium for Linux on x64, the libraries that it needs, and a font. */
const PACKAGE = '@sparticuz/chromium@153.0.0'
const SHA_512 =
  'jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=='

const FONTS_CONFIG = `<?xml version="1.0"?>
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="relative">fonts-cache</cachedir>
</fontconfig>
`

function stop(reason: string): never {
  console.error(reason)
  process.exit(1)
}

function run(command: string, ...args: string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) stop(`${command} ${args[0]} failed: ${error?.message ?? status}`)
}

function fetchInto(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  run('npm', 'pack', PACKAGE, '--silent', '--pack-destination', folder)
  const [tarball = ''] = globSync(join(folder, '*.tgz'))
  const digest = createHash('sha512').update(readFileSync(tarball)).digest('base64')
  if (digest !== SHA_512) stop(`${PACKAGE} is not the expected one: its SHA-512 is ${digest}.`)
  run('tar', '-xzf', tarball, '-C', folder, 'package/bin')
  const unpack = (name: string) =>
    brotliDecompressSync(readFileSync(join(folder, 'package', 'bin', `${name}.br`)))
  writeFileSync(join(folder, 'chromium'), unpack('chromium'))
  chmodSync(join(folder, 'chromium'), 0o755)
  for (const name of ['al2023.tar', 'fonts.tar']) {
    const path = join(folder, name)
    writeFileSync(path, unpack(name))
    run('tar', '-xf', path, '-C', folder)
    rmSync(path)
  }
  writeFileSync(join(folder, 'fonts.conf'), FONTS_CONFIG)
  rmSync(join(folder, 'package'), { recursive: true })
  rmSync(tarball)
}

const { SALUS_CHROMIUM: given } = process.env
if (given !== undefined && !existsSync(given)) stop(`SALUS_CHROMIUM: there is no ${given}.`)
if (findChromium() === undefined) {
  const { platform, arch } = process
  if (platform !== 'linux' || arch !== 'x64') {
    stop(`There is no Chromium for ${platform} on ${arch} in ${PACKAGE}: install one.`)
  }
  const draft = `${FETCHED_CHROMIUM}-draft`
  fetchInto(draft)
  rmSync(FETCHED_CHROMIUM, { recursive: true, force: true })
  renameSync(draft, FETCHED_CHROMIUM)
}
console.log(`Chromium: ${findChromium()?.executablePath}`)
