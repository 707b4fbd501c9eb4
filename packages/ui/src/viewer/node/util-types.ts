/** Values that come out of a file are plain ones: none of these. */
const none = (): boolean => false;

export {
  none as isAnyArrayBuffer,
  none as isArgumentsObject,
  none as isBoxedPrimitive,
  none as isDate,
  none as isExternal,
  none as isGeneratorObject,
  none as isKeyObject,
  none as isMap,
  none as isMapIterator,
  none as isModuleNamespaceObject,
  none as isNativeError,
  none as isPromise,
  none as isProxy,
  none as isRegExp,
  none as isSet,
  none as isSetIterator,
  none as isSharedArrayBuffer,
  none as isTypedArray,
  none as isWeakMap,
  none as isWeakSet,
};
