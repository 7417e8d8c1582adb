/** Replaces functions that do not work in a browser: each use throws an error. */

/** A function in the place of one that needs Node. */
export const onlyInNode = (what: string) => (): never => {
  throw new TypeError(`${what} needs Node: this is the build of acs-kit/mock for browsers`)
}

/** In the place of node:zlib, which one variant uses. */
export const gzipSync = onlyInNode('a compressed answer')

/** In the place of the listener. */
export const listen = async () => onlyInNode('listen()')()

/** In the place of the state directory. */
export const openStore = async () => onlyInNode('stateDir')()

/** In the place of overlay files. */
export const overlayDocumentWithFile = async () => onlyInNode('an overlay file')()

/** In the place of the contract's own validators: the mock checks requests by the reference profile. */
export const contractValidators = {}
