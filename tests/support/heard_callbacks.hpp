// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A subscriber of the embedded CUPTI that keeps what it hears.
#ifndef GPUPROF_TESTS_SUPPORT_HEARD_CALLBACKS_HPP
#define GPUPROF_TESTS_SUPPORT_HEARD_CALLBACKS_HPP

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <gpuprof/sim/open.hpp>

// A callback with copies of what its data told; of one domain a part of the members is meaningful.
struct heard_callback {
    gpuprof::abi::CUpti_CallbackDomain domain = gpuprof::abi::CUPTI_CB_DOMAIN_INVALID;
    gpuprof::abi::CUpti_CallbackId id = 0;
    std::thread::id thread;
    gpuprof::abi::CUcontext context = nullptr;
    std::uint32_t context_uid = 0;
    std::string function; // of a driver call
    std::string symbol;
    bool exit = false;
    int status = 0;
    std::uint32_t correlation = 0;
    gpuprof::abi::CUstream stream = nullptr;
    gpuprof::abi::CUpti_GraphData graph;
    std::uint32_t module_id = 0;
    std::string module_image;
    int state_result = 0;
    std::string message;
};

class heard_callbacks {
public:
    // @pre nobody is subscribed
    heard_callbacks() { REQUIRE(cupti.Subscribe(&subscriber, &hear, this) == gpuprof::abi::CUPTI_SUCCESS); }
    ~heard_callbacks() { end(); }
    heard_callbacks(heard_callbacks const&) = delete;
    heard_callbacks& operator=(heard_callbacks const&) = delete;

    void enable(gpuprof::abi::CUpti_CallbackDomain domain) {
        REQUIRE(cupti.EnableDomain(1, subscriber, domain) == gpuprof::abi::CUPTI_SUCCESS);
    }
    void end() {
        if (subscriber != nullptr) CHECK(cupti.Unsubscribe(subscriber) == gpuprof::abi::CUPTI_SUCCESS);
        subscriber = nullptr;
    }
    // "enter cuMemAlloc_v2", "exit cuMemAlloc_v2 0"; "resource 3" for others.
    [[nodiscard]] std::vector<std::string> texts() const {
        std::vector<std::string> all_texts;
        for (heard_callback const& each : all) all_texts.push_back(text_of(each));
        return all_texts;
    }
    [[nodiscard]] static std::string text_of(heard_callback const& each) {
        switch (each.domain) {
            case gpuprof::abi::CUPTI_CB_DOMAIN_DRIVER_API:
                return each.exit ? "exit " + each.function + ' ' + std::to_string(each.status)
                                 : "enter " + each.function;
            case gpuprof::abi::CUPTI_CB_DOMAIN_RESOURCE: return "resource " + std::to_string(each.id);
            case gpuprof::abi::CUPTI_CB_DOMAIN_SYNCHRONIZE: return "synchronize " + std::to_string(each.id);
            case gpuprof::abi::CUPTI_CB_DOMAIN_STATE: return "state " + std::to_string(each.id);
            default: return "domain " + std::to_string(each.domain);
        }
    }

    std::vector<heard_callback> all;
    void (*inside)(void* self, heard_callback const& heard) = nullptr; // called in each callback
    void* inside_self = nullptr;
    gpuprof::abi::cupti_table const& cupti = gpuprof::sim::embedded_machine().cupti;
    gpuprof::abi::CUpti_SubscriberHandle subscriber = nullptr;

private:
    static void hear(void* self, gpuprof::abi::CUpti_CallbackDomain domain, gpuprof::abi::CUpti_CallbackId id,
                     void const* data) {
        using namespace gpuprof::abi;
        heard_callback heard;
        heard.domain = domain;
        heard.id = id;
        heard.thread = std::this_thread::get_id();
        if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
            auto const& call = *static_cast<CUpti_CallbackData const*>(data);
            heard.context = call.context;
            heard.context_uid = call.contextUid;
            heard.function = call.functionName;
            if (call.symbolName != nullptr) heard.symbol = call.symbolName;
            heard.exit = call.callbackSite == CUPTI_API_EXIT;
            if (heard.exit) heard.status = *static_cast<CUresult const*>(call.functionReturnValue);
            heard.correlation = call.correlationId;
        } else if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
            auto const& resource = *static_cast<CUpti_ResourceData const*>(data);
            heard.context = resource.context;
            heard.stream = resource.resourceHandle.stream;
            bool const module =
                id == CUPTI_CBID_RESOURCE_MODULE_LOADED || id == CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING;
            bool const graph = id >= CUPTI_CBID_RESOURCE_GRAPH_CREATED && id <= CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED;
            if (module) {
                auto const& image = *static_cast<CUpti_ModuleResourceData const*>(resource.resourceDescriptor);
                heard.module_id = image.moduleId;
                heard.module_image.assign(image.pCubin, image.cubinSize);
            } else if (graph) {
                heard.graph = *static_cast<CUpti_GraphData const*>(resource.resourceDescriptor);
            }
        } else if (domain == CUPTI_CB_DOMAIN_SYNCHRONIZE) {
            auto const& waited = *static_cast<CUpti_SynchronizeData const*>(data);
            heard.context = waited.context;
            heard.stream = waited.stream;
        } else if (domain == CUPTI_CB_DOMAIN_STATE) {
            auto const& told = static_cast<CUpti_StateData const*>(data)->notification;
            heard.state_result = told.result;
            if (told.message != nullptr) heard.message = told.message;
        }
        auto& of = *static_cast<heard_callbacks*>(self);
        of.all.push_back(heard);
        if (of.inside != nullptr) of.inside(of.inside_self, heard);
    }
};

#endif // GPUPROF_TESTS_SUPPORT_HEARD_CALLBACKS_HPP
