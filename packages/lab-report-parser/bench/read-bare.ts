import { readFileSync } from 'node:fs'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { readSourcePages } from '../src/pages/read-pages.ts'
import { createRecognizer } from '../src/recognition/recognizer.ts'

/** What the other process asks of this one. */
export interface BareTask {
  mode: 'text' | 'scan'
  paths: string[]
}

/** @returns pages whose text was read, without asking what it says */
async function createReader(
  mode: BareTask['mode'],
): Promise<(bytes: Uint8Array) => Promise<number>> {
  if (mode === 'text') {
    const library = await PDFiumLibrary.init()
    return async (bytes) => {
      const document = await library.loadDocument(Buffer.from(bytes))
      let pages = 0
      for (const page of document.pages()) {
        page.getText()
        pages += 1
      }
      document.destroy()
      return pages
    }
  }
  const recognizer = await createRecognizer()
  return async (bytes) => {
    let pages = 0
    for await (const page of readSourcePages([bytes])) {
      await recognizer.recognize(await page.render())
      pages += 1
    }
    return pages
  }
}

process.once('message', async ({ mode, paths }: BareTask) => {
  const read = await createReader(mode)
  const files = paths.map((path) => new Uint8Array(readFileSync(path)))
  await read(files[0] as Uint8Array)
  const startedAt = performance.now()
  let pages = 0
  for (const file of files) pages += await read(file)
  const seconds = (performance.now() - startedAt) / 1000
  process.send?.({ pages, seconds })
  process.disconnect()
})
