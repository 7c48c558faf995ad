import type { Degradation } from './degrade.ts'
import { createRandom } from './random.ts'

/** Severity: an ordinary phone photo, a careless one, a scanner, a fax. */
export type DegradationKind = 'photo' | 'bad-photo' | 'scan' | 'bad-scan' | 'fax'

/** Creates a degradation of a kind from a seed. */
export function sampleDegradation(kind: DegradationKind, seed: number): Degradation {
  const random = createRandom(seed * 7919 + kind.length)
  if (kind === 'photo' || kind === 'bad-photo') {
    const isBad = kind === 'bad-photo'
    return {
      seed,
      quarterTurns: random.chance(isBad ? 0.5 : 0.15) ? random.pick([1, 2, 3] as const) : 0,
      rotation: random.between(-1, 1) * (isBad ? 9 : 4),
      perspective: isBad ? random.between(0.04, 0.11) : random.between(0.01, 0.05),
      table: random.pick(['wood', 'dark', 'cloth', 'light'] as const),
      margin: random.between(0.03, isBad ? 0.15 : 0.08),
      curvature: isBad ? random.between(0, 0.008) : 0,
      shadow: random.between(0, isBad ? 0.6 : 0.4),
      vignette: random.between(0, 0.4),
      whitePoint: random.pick([
        [244, 240, 228],
        [235, 238, 245],
        [225, 212, 186],
        [205, 205, 205],
      ] as const),
      noise: random.between(1, isBad ? 9 : 4),
      blur: random.between(0, isBad ? 1.2 : 0.7),
      motionBlur: isBad && random.chance(0.3) ? random.between(1.5, 3) : 0,
      creases: isBad ? random.whole(0, 2) : 0,
      fingers: isBad ? random.whole(0, 2) : 0,
      scale: random.between(isBad ? 0.75 : 0.9, 1.3),
      jpegQuality: random.whole(isBad ? 50 : 70, 92),
    }
  }
  if (kind === 'fax') {
    return {
      seed,
      rotation: random.between(-1.5, 1.5),
      specks: random.between(0, 150),
      scale: random.between(0.6, 0.8),
      blur: 0.5,
      noise: 6,
      isFax: true,
    }
  }
  const isBad = kind === 'bad-scan'
  return {
    seed,
    quarterTurns: isBad && random.chance(0.3) ? random.pick([1, 2, 3] as const) : 0,
    rotation: random.between(-1, 1) * (isBad ? 4 : 1.5),
    shadow: isBad ? random.between(0, 0.3) : 0,
    fading: isBad ? random.between(0, 0.5) : 0,
    whitePoint: random.pick([
      [255, 255, 255],
      [240, 240, 238],
      [250, 246, 235],
    ] as const),
    noise: random.between(0, isBad ? 10 : 4),
    specks: isBad ? random.between(0, 300) : 0,
    blur: random.between(0, isBad ? 1 : 0.5),
    creases: isBad ? random.whole(0, 1) : 0,
    scale: random.between(isBad ? 0.65 : 0.8, 1),
    jpegQuality: random.whole(isBad ? 40 : 70, 95),
  }
}
