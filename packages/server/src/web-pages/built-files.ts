import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** Folder in which `npm ci` builds the pages of packages/web. */
const BUILT_FOLDER = join(import.meta.dirname, '../../../web/dist')

/** Name of the subfolder whose files are named by their content. */
const ASSETS = 'assets/web'
const POPUP = 'assets/link.js'

export const ASSET_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

export interface BuiltFile {
  type: string
  bytes: Buffer
  /** Weak, because the compressed file has the same. */
  etag: string
  /** Compressed with the first request. */
  gzipped: () => Promise<Buffer>
}

export interface BuiltFiles {
  /** Texts of the pages by name. */
  pages: ReadonlyMap<string, string>
  /** By file name. */
  assets: ReadonlyMap<string, BuiltFile>
  /**
   * The script by which pages of other sites open the link page; undefined in a build of before.
   */
  popup: BuiltFile | undefined
}

/** Reads the built pages: some hundred kilobytes. Undefined where nothing was built. */
export function readBuiltFiles(folder = BUILT_FOLDER): BuiltFiles | undefined {
  try {
    const read = (name: string): Buffer => readFileSync(join(folder, name))
    const pages = readdirSync(folder).filter((name) => name.endsWith('.html'))
    const assets = readdirSync(join(folder, ASSETS)).filter((name) => extname(name) in ASSET_TYPES)
    return {
      pages: new Map(pages.map((name) => [name.slice(0, -'.html'.length), `${read(name)}`])),
      assets: new Map(assets.map((name) => [name, toFile(name, read(join(ASSETS, name)))])),
      popup: existsSync(join(folder, POPUP)) ? toFile(POPUP, read(POPUP)) : undefined,
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function toFile(name: string, bytes: Buffer): BuiltFile {
  let compressed: Promise<Buffer> | undefined
  return {
    type: ASSET_TYPES[extname(name)] ?? 'application/octet-stream',
    bytes,
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    gzipped: () => {
      compressed ??= promisify(gzip)(bytes, { level: 9 })
      return compressed
    },
  }
}
