import { registerHooks } from 'node:module'

// Behaves as on a platform for which onnxruntime has no binary.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'onnxruntime-node') throw new Error('There is none for this platform')
    return next(specifier, context)
  },
})

export const { parseLabReport } = await import('../src/parse.ts')
