// Made by `npm run kernels` from shards/kernels/assembly/search; not written by hand.
/** WebAssembly in base64. */
export default `
AGFzbQEAAAABCAFgA39/fwF/AhIBA2VudgZtZW1vcnkCAwGAgAQDAgEABxoCDWZpcnN0Tm90QmVsb3cAAAZtZW1vcnkCAAp0AXIC
An8BeyAC/REhBQNAIANBBGogAU0EQCAAIANBAnRq/QAEACAF/Tr9pAEiBEEPRwRAIAMgBEF/c2hqDwsgA0EEaiEDDAELCwNAIAEg
A0sEfyAAIANBAnRqKAIAIAJJBUEACwRAIANBAWohAwwBCwsgAws=
`;
