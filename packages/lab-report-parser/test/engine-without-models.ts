import { registerHooks } from 'node:module'

// As on a platform that onnxruntime has no program for.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'onnxruntime-node') throw new Error('There is none for this platform')
    return next(specifier, context)
  },
})

export const { parseLabReport } = await import('../src/parse.ts')
