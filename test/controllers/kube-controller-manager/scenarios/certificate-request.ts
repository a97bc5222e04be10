/** A certificate signing request of the user `reader` in the group `readers`. Its key was discarded. */
export const certificateRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIHeMIGFAgEAMCMxDzANBgNVBAMMBnJlYWRlcjEQMA4GA1UECgwHcmVhZGVyczBZ
MBMGByqGSM49AgEGCCqGSM49AwEHA0IABGv6O5b8v5PmltnoRVX7/LorRU3VbMQi
N8m24a9DwHc/54/Ch0cnlibGZGArkTjWkf8h5gFl9MNeEKBZzWuNqeSgADAKBggq
hkjOPQQDAgNIADBFAiEA2hFEZacq/kUz8xQ8xiKGiibTFzCFN4RwZdZH7uLXluYC
IF0C8IHm7z9/+ZR+sLDWjQBIAwAy8rYEO9PljatxCVhZ
-----END CERTIFICATE REQUEST-----
`;
